"""TOML read to a document, however hostile it is."""

from __future__ import annotations

import re

from review_gate.prompts.project.facts import UnreadableManifestError

# Keys of so many parts: tomllib takes quadratic time for one that has tens of thousands.
_LONG_KEY = re.compile(r"""(?<![\w-])(?:(?:[\w-]++|"[^"\n]*+"|'[^'\n]*+')[ \t]*+\.[ \t]*+){50}""")


def toml_document(text: str) -> dict[str, object]:
    """What a TOML text says."""
    if _LONG_KEY.search(text):
        raise UnreadableManifestError("it is nested too deeply")
    import tomllib

    try:
        return tomllib.loads(text.removeprefix("\ufeff"))
    except RecursionError:
        raise UnreadableManifestError("it is nested too deeply") from None
    except Exception as error:  # besides its own error, int() and datetime raise others here
        place = re.search(r"at line (\d+)", str(error))
        raise UnreadableManifestError(f"it is not TOML{f' in line {place[1]}' if place else ''}") from None
