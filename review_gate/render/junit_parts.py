"""What every JUnit document of ours has: counts, the text of a problem, and no character that XML forbids."""

from __future__ import annotations

from xml.etree.ElementTree import Element, SubElement, indent, tostring

from review_gate.safe_text import safe, safe_line

COUNTED = (("failures", "failure"), ("errors", "error"), ("skipped", "skipped"))


def document_text(root: Element) -> str:
    """The document, in ASCII so that it survives any terminal, pipe or file."""
    indent(root)
    # Asked for text, Python 3.11 declares the encoding of the locale, which need not be that of the reader.
    document: bytes = tostring(root, encoding="us-ascii", xml_declaration=True)
    return document.decode("ascii") + "\n"


def add_counts(element: Element, seconds: float) -> None:
    """How many cases an element holds, and how they ended."""
    element.set("tests", str(_count(element, "testcase")))
    for attribute, tag in COUNTED:
        element.set(attribute, str(_count(element, tag)))
    element.set("time", f"{seconds:.3f}")


def _count(element: Element, tag: str) -> int:
    return sum(1 for _ in element.iter(tag))


def new_case(group: str, name: str, seconds: float) -> Element:
    """A case without a bad end."""
    return Element("testcase", classname=f"review-gate.{group}", name=safe_line(name), time=f"{seconds:.3f}")


def problem_text(
    severity: str,
    place: tuple[str | None, int | None, int | None],
    message: str,
    rule: str,
    *,
    advice: str = "",
    evidence: str = "",
) -> str:
    """One problem with its evidence: for a failed command that is the end of what it printed."""
    where = safe_line(":".join(str(part) for part in place if part))
    lines = [f"{severity}: {f'{where}: ' if where else ''}{message} [{rule}]"]
    if advice:
        lines.append(f"  {advice}")
    lines += [f"    {line}" for line in evidence.splitlines()]
    return "\n".join(lines)


def add_output(element: Element, *texts: str) -> None:
    """What an element says without having failed."""
    text = joined(*texts)
    if text:
        SubElement(element, "system-out").text = text


def joined(*texts: str) -> str | None:
    """The texts that are there; `safe` leaves no character that XML 1.0 forbids, whatever a finding holds."""
    return safe("\n".join(text for text in texts if text)) or None
