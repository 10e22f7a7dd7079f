"""The one table of what is registered with which agent; an agent's hook reads it, so it stays free of imports."""

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Mapping

PROGRAM = "review-gate"
SECONDS = 20
# Any way in which the program can fail to answer ends with 2 and a line on stderr: a program that is missing, crashed
# or was killed would let the call through (Codex ignores a 2 without a line, older versions of Claude their onFailure).
# Another shell does it, because the one that reads this may be any; words without marks of a shell need no quotes.
REFUSE = (
    "sh -c 'echo review-gate is missing or broken, so this is blocked. "
    "The user has to run review-gate doctor, or to install it again. >&2; exit 2'"
)
# Everywhere else a failure must hold nobody back: in Gemini CLI any code but 0 and 1 blocks a prompt (seen in 0.61.0),
# and 2, with which a version of ours ends that does not know the hook, keeps an agent from ever stopping.
GO_ON = "exit 1"
# The exception are prompts where nothing but a 2 stops one: with that we refuse a /ship that we cannot answer.
AS_WE_END = ""
EDITS = "Write|Edit|MultiEdit|NotebookEdit"
# Cursor documents Write and Delete; the other names are those under which its edits were seen by others.
CURSOR_EDITS = "Write|Delete|StrReplace|Edit|EditNotebook|ApplyPatch|MultiEdit|NotebookEdit"
NOTHING: "Mapping[str, object]" = {}


class Hook:
    """One event of an agent for which we are called; one that guards may not fail open.

    `otherwise` is what the shell does when our program fails; nothing where its own end says all.
    """

    def __init__(
        self,
        event: str,
        matcher: str = "",
        *,
        guards: bool = False,
        otherwise: str = GO_ON,
        extra: "Mapping[str, object]" = NOTHING,
    ) -> None:
        self.event = event
        self.matcher = matcher
        self.guards = guards
        self.otherwise = REFUSE if guards else otherwise
        self.extra = extra


class Agent:
    """An agent, where it keeps its settings, and the dialect in which hooks are written there."""

    name: str
    title: str
    hooks: tuple[Hook, ...] = ()
    # Below the top of a project; the user's own lies in a folder that a variable may name, or below HOME.
    project_file: str
    home = ""
    home_file = ""
    home_variable = ""
    # Further files of a project in which all hooks can be switched off.
    other_files: tuple[str, ...] = ()
    # Whether hooks are in groups that share a matcher.
    is_nested = True
    # Whether an event says which one it is; else the command does that is called for it.
    names_events = True
    # Whether commands, skills and subagents go beside the settings, and a status line into them.
    has_texts = False
    command_key = "command"
    timeout = ("timeout", SECONDS)
    hook_keys: "Mapping[str, object]" = NOTHING
    guard_keys: "Mapping[str, object]" = NOTHING
    # What the file needs before anything of ours is read.
    first_keys: "Mapping[str, object]" = NOTHING
    # What is beside the standard in a settings file that the agent reads; of any other it ignores the whole.
    reads_comments = False
    reads_mark = False
    # What only the user can do.
    trust = ""

    def __init__(self, name: str, title: str, **rest: object) -> None:
        self.name = name
        self.title = title
        # An agent is a row of the table below: what it does not say is as above.
        self.__dict__.update(rest)


CLAUDE = Agent(
    "claude",
    "Claude Code",
    hooks=(
        Hook("UserPromptSubmit", otherwise=AS_WE_END),
        Hook("PreToolUse", f"Bash|ExitPlanMode|{EDITS}", guards=True),
        Hook("Stop"),
        Hook("SessionStart"),
        Hook("ConfigChange"),
    ),
    project_file=".claude/settings.json",
    home=".claude",
    home_file="settings.json",
    home_variable="CLAUDE_CONFIG_DIR",
    other_files=(".claude/settings.local.json",),
    has_texts=True,
    # Seen in 2.1.325: a file with comments is ignored in silence.
    reads_mark=True,
    hook_keys={"type": "command"},
    guard_keys={"onFailure": "block"},
    trust="Claude Code runs the hooks of a project once you trust its folder: start claude there, and answer",
)
CODEX = Agent(
    "codex",
    "Codex",
    hooks=(
        Hook("UserPromptSubmit", otherwise=AS_WE_END),
        Hook("PreToolUse", "Bash|apply_patch|Edit|Write", guards=True),
        Hook("Stop"),
        Hook("SessionStart"),
    ),
    project_file=".codex/hooks.json",
    home=".codex",
    home_file="hooks.json",
    home_variable="CODEX_HOME",
    hook_keys={"type": "command"},
    trust="Codex skips hooks in silence until you trust them, and again after each change of them: "
    "start codex here, and trust those of review-gate where it asks, or with /hooks",
)
GEMINI = Agent(
    "gemini",
    "Gemini CLI",
    hooks=(
        Hook("BeforeAgent"),
        Hook("BeforeTool", "run_shell_command|write_file|replace", guards=True),
        Hook("AfterAgent"),
        Hook("SessionStart"),
    ),
    project_file=".gemini/settings.json",
    home=".gemini",
    home_file="settings.json",
    # Seen in 0.61.0: it does not start over a spare comma or a byte order mark.
    reads_comments=True,
    # This one counts in milliseconds.
    timeout=("timeout", SECONDS * 1000),
    hook_keys={"name": PROGRAM, "type": "command"},
    trust="Gemini CLI runs the hooks of a project only in a folder that you trust: start gemini here and answer its "
    "question, or type /permissions",
)
CURSOR = Agent(
    "cursor",
    "Cursor",
    hooks=(
        Hook("beforeSubmitPrompt", otherwise=AS_WE_END),
        Hook("beforeShellExecution", guards=True),
        Hook("preToolUse", CURSOR_EDITS, guards=True),
        Hook("stop", extra={"loop_limit": 7}),
        Hook("sessionStart"),
    ),
    project_file=".cursor/hooks.json",
    home=".cursor",
    home_file="hooks.json",
    is_nested=False,
    guard_keys={"failClosed": True},
    first_keys={"version": 1},
    trust="Cursor shows under Settings, Hooks, whether it has read them; Developer: Reload Window makes it read them",
)
COPILOT = Agent(
    "copilot",
    "Copilot CLI",
    hooks=(Hook("userPromptSubmitted"), Hook("preToolUse", guards=True), Hook("agentStop"), Hook("sessionStart")),
    project_file=".github/hooks/review-gate.json",
    home=".copilot",
    home_file="hooks/review-gate.json",
    home_variable="COPILOT_HOME",
    is_nested=False,
    names_events=False,
    other_files=(".github/copilot/settings.json", ".github/copilot/settings.local.json"),
    command_key="bash",
    timeout=("timeoutSec", SECONDS),
    hook_keys={"type": "command"},
    first_keys={"version": 1},
    trust="trust the folder where Copilot CLI asks; as it also reads .claude/settings.json, with both the gate is "
    "asked twice",
)
# Their users trust the folder of a project, which hooks of one's own do not need.
TRUST_IS_OF_PROJECTS = (CLAUDE.name, GEMINI.name)
AGENTS = {agent.name: agent for agent in (CLAUDE, CODEX, GEMINI, CURSOR, COPILOT)}


def command_of(agent: Agent, hook: Hook, program: str) -> str:
    """The command line of a hook; `program` is how a shell is told what to start."""
    call = f"{program} hook {agent.name}" + ("" if agent.names_events else f" {hook.event}")
    return f"{call} || {hook.otherwise}" if hook.otherwise else call


def entry_of(agent: Agent, hook: Hook, program: str) -> dict[str, object]:
    """One hook as the agent's settings spell it."""
    key, time = agent.timeout
    guard = agent.guard_keys if hook.guards else NOTHING
    return {**agent.hook_keys, agent.command_key: command_of(agent, hook, program), key: time, **guard, **hook.extra}


def group_of(agent: Agent, hook: Hook, program: str) -> dict[str, object]:
    """What is added to the list of an event."""
    matcher: dict[str, object] = {"matcher": hook.matcher} if hook.matcher else {}
    entry = entry_of(agent, hook, program)
    return {**matcher, "hooks": [entry]} if agent.is_nested else {**matcher, **entry}


def status_line_of(program: str) -> dict[str, object]:
    """The status line of Claude Code."""
    return {"type": "command", "command": f"{program} statusline"}


def registered_hooks(agent: Agent, program: str) -> dict[str, list[dict[str, object]]]:
    """Everything that is registered, by event."""
    return {hook.event: [group_of(agent, hook, program)] for hook in agent.hooks}
