"""The state of a plan's review, as YAML that people can read."""

from __future__ import annotations

import io

from pydantic import ValidationError

from review_gate.config.yaml_reader import read_yaml
from review_gate.config.yaml_tree import UnreadableError, plain_data
from review_gate.plans.schema import PlanState


def state_from(data: bytes | None, label: str) -> tuple[PlanState, str]:
    """The state in a file, or the first one with a warning where the file holds none."""
    if data is None:
        return PlanState(), ""
    try:
        document = read_yaml(data.decode("utf-8"), lambda line: f"{label}:{line}")
        found = {} if document is None else plain_data(document)
        return PlanState.model_validate(found), ""
    except UnreadableError as error:
        what = f"{error.origin}: {error.text}"
    except UnicodeDecodeError as error:
        what = f"{label}: not UTF-8 at byte {error.start}"
    except ValidationError as error:
        first = error.errors(include_url=False)[0]
        what = f"{label}: {'.'.join(map(str, first['loc'])) or 'the whole'}: {first['msg']}"
    return PlanState(), f"{what}; the state was malformed, so the review begins anew"


def state_to_yaml(state: PlanState) -> bytes:
    """The file of a state."""
    from ruamel.yaml import YAML

    yaml = YAML(typ="safe", pure=True)
    yaml.default_flow_style = False
    yaml.allow_unicode = True
    document = state.model_dump(mode="json", exclude_none=True)
    out = io.BytesIO()
    yaml.dump({name: document[name] for name in PlanState.model_fields if name in document}, out)
    return out.getvalue()
