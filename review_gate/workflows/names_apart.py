"""No two reviewers of a run go by one name, and no two checks by one id: the word of only one of them would count."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from review_gate.config.places import REPOSITORY_FILE
from review_gate.errors import ConfigError
from review_gate.shell.pipeline_files import PROJECT_FOLDER

if TYPE_CHECKING:
    from review_gate.checks.plan import CheckPlan
    from review_gate.config.schema import Config
    from review_gate.pipeline.config_schema import PipelineConfig


def keep_names_apart(config: Config, checks: CheckPlan | None, pipeline: PipelineConfig) -> None:
    """Refuse a command that is called like a reviewer, and a rule with the id of a check."""
    agents = {agent.id for agent in pipeline.agents}
    for index, command in enumerate(config.commands):
        if command.name in agents:
            raise _refused(
                f'{REPOSITORY_FILE}: commands[{index}].name is "{command.name}", which is a reviewer of agents.json',
                why="of two reviewers with one name, the word of only one would count",
                next_step="give the command another name",
            )
    _keep_ids_apart(checks, [rule.id for rule in pipeline.rules if rule.check is not None])


def _keep_ids_apart(checks: CheckPlan | None, rules: Sequence[str]) -> None:
    places = {check.id: check.origin for check in checks.rules} if checks is not None else {}
    for rule in rules:
        if rule in places:
            raise _refused(
                f"{PROJECT_FOLDER}/rules.json: a rule and a check ({places[rule]}) have the id {rule}",
                why="what one of the two finds would be told as found by the other, or not at all",
                next_step="give one of them another id",
            )


def _refused(what: str, *, why: str, next_step: str) -> ConfigError:
    return ConfigError(what, why=why, next_step=f"{next_step}, then the same command again")
