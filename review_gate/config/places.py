"""Where configuration is looked for; imported by every hook, so it stays free of imports."""

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Mapping

REPOSITORY_FILE = ".review-gate.yaml"
MISNAMED = ".review-gate.yml"
# How messages call the user's own file, with its path behind.
USER_FILE = "user file "
MAX_CONFIG_BYTES = 256_000
# What plans are judged by: of the user, below the home; and beside a plan.
USER_CHECKS = ".claude/checks/global-checks.yaml"
USER_REVIEWERS = ".claude/reviewers.yaml"
PLAN_CHECKS = "checks.yaml"
PLAN_CONTEXT = "context.yaml"
REPLACEMENT_VARIABLE = "REVIEW_GATE_CONFIG"
DEBUG_VARIABLE = "REVIEW_GATE_DEBUG"
# Set for every program that answers for a model: a reviewer must not start reviewers.
REVIEWING_VARIABLE = "REVIEW_GATE_REVIEWING"

# These share the prefix of the settings without being one.
NOT_SETTINGS = (REPLACEMENT_VARIABLE, DEBUG_VARIABLE, REVIEWING_VARIABLE)
PREFIX = "REVIEW_GATE_"
_HOMES = ("HOME", "XDG_CONFIG_HOME", "APPDATA")


def user_config_file(environ: "Mapping[str, str]", platform: str) -> str | None:
    """The user's own configuration file on a `sys.platform`, or None where there is no home to keep it in."""
    if platform == "win32":
        appdata = environ.get("APPDATA", "")
        return rf"{appdata}\review-gate\config.yaml" if appdata else None
    folder = _unix_folder(environ, platform)
    return f"{folder}/review-gate/config.yaml" if folder else None


def _unix_folder(environ: "Mapping[str, str]", platform: str) -> str | None:
    # A relative folder would be looked up below the repository under review, which must not pose as the user;
    # the XDG base directory specification says to ignore one too.
    chosen = environ.get("XDG_CONFIG_HOME", "")
    if platform != "darwin" and chosen.startswith("/"):
        return chosen.rstrip("/")
    home = environ.get("HOME", "").rstrip("/")
    if not environ.get("HOME", "").startswith("/"):
        return None
    return f"{home}/Library/Application Support" if platform == "darwin" else f"{home}/.config"


def config_environment(environ: "Mapping[str, str]") -> dict[str, str]:
    """The variables that can change what configuration says, in a fixed order."""
    return {
        name: environ[name]
        for name in sorted(environ)
        if name in _HOMES or (name.startswith(PREFIX) and name not in (DEBUG_VARIABLE, REVIEWING_VARIABLE))
    }
