"""Which test command a project's files speak of, and what does not count as one."""

from __future__ import annotations

import pytest

from review_gate.loops.tests_found import FoundTests, find_tests

PACKAGE = '{"scripts": {"test": "%s"}}'
FINDS = {
    "pytest.ini, even empty": ({"pytest.ini": ""}, "pytest", "pytest.ini"),
    "a conftest at the top": ({"conftest.py": ""}, "pytest", "conftest.py"),
    "a conftest among the tests": ({"tests/conftest.py": ""}, "pytest", "tests/conftest.py"),
    "pytest options in pyproject.toml": (
        {"pyproject.toml": "[tool.pytest.ini_options]\n"}, "pytest", "pyproject.toml",
    ),
    "pytest in tox.ini": ({"tox.ini": "[tox]\n[pytest]\n"}, "pytest", "tox.ini"),
    "pytest in setup.cfg": ({"setup.cfg": "[tool:pytest]\n"}, "pytest", "setup.cfg"),
    "pytest in the commands of tox.ini": (
        {"tox.ini": "[testenv]\ndeps = x\ncommands =\n    python -m pytest {posargs}\n"}, "pytest", "tox.ini",
    ),
    "a requirement in pyproject.toml": (
        {"pyproject.toml": "[dependency-groups]\ndev = ['ruff', 'pytest>=8']\n"}, "pytest", "pyproject.toml",
    ),
    "a requirement": ({"requirements-dev.txt": "ruff\npytest==8.2\n"}, "pytest", "requirements-dev.txt"),
    "an npm script": ({"package.json": PACKAGE % "jest"}, "npm test", "package.json"),
    "a go module": ({"go.mod": "module x\n"}, "go test ./...", "go.mod"),
    "a cargo package": ({"Cargo.toml": '[package]\nname = "x"\n'}, "cargo test", "Cargo.toml"),
    "a make target": ({"Makefile": "all:\n\ttrue\ntest: all\n\ttrue\n"}, "make test", "Makefile"),
    "GNU make's own first": ({"Makefile": "test:\n", "GNUmakefile": "test:\n"}, "make test", "GNUmakefile"),
    "one of several targets": ({"Makefile": "check test lint:\n\ttrue\n"}, "make test", "Makefile"),
}  # fmt: skip


@pytest.mark.parametrize(("files", "command", "because"), FINDS.values(), ids=FINDS.keys())
def test_a_test_command_is_found_from(files: dict[str, str], command: str, because: str) -> None:
    (found,) = find_tests(files)
    assert (found.command, found.because) == (command, because)


LEAVES_ALONE = {
    "no file": {},
    "a pyproject without pytest": {"pyproject.toml": "[project]\nname = 'x'\n"},
    "a tox.ini without pytest": {"tox.ini": "[tox]\n"},
    "commands of tox.ini without pytest": {"tox.ini": "[testenv]\ndescription = like pytest\ncommands = stestr run\n"},
    "a file called pytest.ini in pyproject": {"pyproject.toml": "exclude = ['pytest.ini']\n"},
    "requirements of another name": {"requirements.txt": "# pytest\npytester\nno-pytest\n"},
    "a comment in a makefile": {"Makefile": "# the test: none\nall: # test:\n"},
    "what only depends on tests": {"Makefile": ".PHONY: test\nall: test\n"},
    "npm's placeholder": {"package.json": PACKAGE % 'echo \\"Error: no test specified\\" && exit 1'},
    "a package without scripts": {"package.json": '{"name": "x"}'},
    "a script of the wrong shape": {"package.json": '{"scripts": {"test": ["jest"]}}'},
    "a package that is no JSON": {"package.json": "{"},
    "a package that nests for ever": {"package.json": "[" * 100_000},
    "a cargo file about something else": {"Cargo.toml": "[profile.dev]\n"},
    "a cargo file that nests for ever": {"Cargo.toml": "a = " + "[" * 100_000},
    "a makefile without the target": {"Makefile": "all:\n\techo test:\n"},
    "a variable that is set at once": {"Makefile": "test := 1\n", "makefile": "test ::= 1\n"},
    "the same in POSIX spelling": {"Makefile": "test::=1\n"},
    "a file of another folder": {"sub/go.mod": "module x\n"},
}


@pytest.mark.parametrize("files", LEAVES_ALONE.values(), ids=LEAVES_ALONE.keys())
def test_no_test_command_is_found_from(files: dict[str, str]) -> None:
    assert find_tests(files) == ()


@pytest.mark.parametrize("name", ["tests/test_app.py", "test/test_app.py", "tests/unit/app_test.py"])
def test_files_of_tests_speak_of_pytest(name: str) -> None:
    assert find_tests({}, ["tests/data.py", name]) == (FoundTests(argv=("pytest",), because=name),)


@pytest.mark.parametrize(
    "name", ["", "tests/helper.py", "tests/test_data.json", "tests/test_x.py/y", "tests/testing.py"]
)
def test_other_files_beside_tests_speak_of_nothing(name: str) -> None:
    assert find_tests({}, [name]) == ()


def test_several_are_offered_the_most_specific_first() -> None:
    files = {
        "Makefile": "test:\n",
        "Cargo.toml": "[package]\n",
        "go.mod": "",
        "package.json": PACKAGE % "jest",
        "pytest.ini": "",
    }
    assert find_tests(files) == (
        FoundTests(argv=("pytest",), because="pytest.ini"),
        FoundTests(argv=("npm", "test"), because="package.json"),
        FoundTests(argv=("go", "test", "./..."), because="go.mod"),
        FoundTests(argv=("cargo", "test"), because="Cargo.toml"),
        FoundTests(argv=("make", "test"), because="Makefile"),
    )
