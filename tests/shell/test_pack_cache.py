"""Plans of shipped packs are derived once for a user."""

from __future__ import annotations

from pathlib import Path

import pytest

from review_gate.checks.plan import plan_of
from review_gate.shell.cache_folder import cache_folder
from review_gate.shell.check_plan import plan_bytes
from review_gate.shell.check_sources import CheckSource, pack_source
from review_gate.shell.pack_cache import cached_pack, keep_pack
from review_gate.workflows.checks import checks_of


def test_a_kept_plan_is_the_one_that_was_made(tmp_path: Path) -> None:
    source, environ = pack_source("leftovers"), {"XDG_CACHE_HOME": str(tmp_path)}
    assert cached_pack(source, environ) is None
    plan = plan_of(checks_of([source]).rules)
    keep_pack(source, plan, environ)
    found = cached_pack(source, environ)
    assert found is not None
    assert plan_bytes("key", found) == plan_bytes("key", plan)
    assert [path.name for path in (tmp_path / "review-gate").iterdir()] == ["pack-leftovers.json"]


def test_a_plan_of_another_text_or_a_damaged_one_is_not_used(tmp_path: Path) -> None:
    source, environ = pack_source("leftovers"), {"XDG_CACHE_HOME": str(tmp_path)}
    keep_pack(source, plan_of(checks_of([source]).rules), environ)
    assert cached_pack(CheckSource(source.form, source.owner, source.label, source.data + b"# more\n"), environ) is None
    path = tmp_path / "review-gate/pack-leftovers.json"
    sound = path.read_bytes()
    for damaged in (sound[:-10], sound.replace(b'"major"', b'"minor"', 1), sound.replace(b"TODO", b"TODo", 1)):
        path.write_bytes(damaged)
        assert damaged != sound
        assert cached_pack(source, environ) is None


@pytest.mark.parametrize(
    ("environ", "platform", "folder"),
    [
        ({"HOME": "/home/a"}, "linux", "/home/a/.cache/review-gate"),
        ({"HOME": "/home/a", "XDG_CACHE_HOME": "/var/c"}, "linux", "/var/c/review-gate"),
        ({"HOME": "/Users/a"}, "darwin", "/Users/a/Library/Caches/review-gate"),
        ({"HOME": "relative"}, "linux", None),
        ({}, "linux", None),
    ],
)
def test_the_folder_is_the_users_own(environ: dict[str, str], platform: str, folder: str | None) -> None:
    assert cache_folder(environ, platform) == folder


def test_a_folder_that_cannot_be_written_to_is_no_obstacle(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("")
    source = pack_source("leftovers")
    keep_pack(source, plan_of([]), {"XDG_CACHE_HOME": str(tmp_path / "file")})
    assert cached_pack(source, {"XDG_CACHE_HOME": str(tmp_path / "file")}) is None
