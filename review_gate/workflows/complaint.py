"""What the doctor says about something that is wrong."""

from __future__ import annotations

from review_gate.models import Frozen


class Complaint(Frozen):
    """One thing that is wrong, and what to type about it."""

    what: str
    next_step: str
