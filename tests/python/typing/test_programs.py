"""mypy and pyright over programs that are right, and over programs that are wrong.

A line of a wrong program that is to be refused ends with the codes of the errors there, for each of
the checkers: ``# mypy: arg-type call-arg, pyright: reportCallIssue``.
"""

import json
import os
import re
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

pytestmark = pytest.mark.skipif(
    os.environ["MONDO_BUNDLE"] != "default", reason="the programs use most dialects"
)

PROGRAMS = Path(__file__).parent / "programs"
RIGHT = sorted(PROGRAMS.glob("right_*.py"))
WRONG = sorted(PROGRAMS.glob("wrong_*.py"))

_EXPECTED = re.compile(r"# mypy: (?P<mypy>[a-z -]+), pyright: (?P<pyright>\w+)$")
_MYPY = re.compile(r"(?P<path>[^:]+\.py):(?P<line>\d+): error: .* \[(?P<code>[a-z-]+)\]$")

Found = set[tuple[str, int, str]]


def expected(checker: str) -> Found:
    """The errors that the wrong programs announce: file, line and code."""

    def errors() -> Iterator[tuple[str, int, str]]:
        for program in WRONG:
            for number, line in enumerate(program.read_text().splitlines(), start=1):
                if announced := _EXPECTED.search(line):
                    for code in announced[checker].split():
                        yield program.name, number, code

    return set(errors())


@pytest.fixture(scope="module")
def mypy(tmp_path_factory: pytest.TempPathFactory) -> Found:
    """mypy's output for all programs."""
    folder = tmp_path_factory.mktemp("mypy")
    command = [sys.executable, "-m", "mypy", "--strict", "--cache-dir", str(folder)]
    command += ["--config-file", os.devnull, "--no-error-summary", "--hide-error-context"]
    run = subprocess.run([*command, *RIGHT, *WRONG], cwd=folder, capture_output=True, text=True)
    assert run.returncode == 1, run.stdout + run.stderr
    lines = [line for line in run.stdout.splitlines() if ": note: " not in line]
    found = [_MYPY.fullmatch(line) for line in lines]
    assert all(found), run.stdout
    return {(Path(it["path"]).name, int(it["line"]), it["code"]) for it in found if it}


@pytest.fixture(scope="module")
def pyright(tmp_path_factory: pytest.TempPathFactory) -> Found:
    """pyright's output for all programs."""
    folder = tmp_path_factory.mktemp("pyright")
    config = {"include": [str(PROGRAMS)], "typeCheckingMode": "standard"}
    project = folder / "pyrightconfig.json"
    project.write_text(json.dumps(config))
    command = [sys.executable, "-m", "basedpyright", "--outputjson"]
    command += ["--pythonpath", sys.executable, "--project", str(project)]
    run = subprocess.run(command, cwd=folder, capture_output=True, text=True)
    assert run.returncode == 1, run.stdout + run.stderr
    said = json.loads(run.stdout)
    assert said["summary"]["filesAnalyzed"] == len(RIGHT) + len(WRONG)
    return {
        (Path(it["file"]).name, it["range"]["start"]["line"] + 1, it["rule"])
        for it in said["generalDiagnostics"]
        if it["severity"] == "error"
    }


def test_there_are_ten_of_each() -> None:
    assert len(RIGHT) >= 10 and len(WRONG) >= 10
    for program in RIGHT:
        assert len(program.read_text().splitlines()) >= 50, program
    for checker in ("mypy", "pyright"):
        assert {name for name, _, _ in expected(checker)} == {it.name for it in WRONG}


def test_mypy_accepts_and_rejects(mypy: Found) -> None:
    assert mypy == expected("mypy")


def test_pyright_accepts_and_rejects(pyright: Found) -> None:
    assert pyright == expected("pyright")


@pytest.mark.parametrize("program", RIGHT, ids=lambda it: it.stem)
def test_a_right_program_runs(program: Path) -> None:
    subprocess.run([sys.executable, program], check=True)
