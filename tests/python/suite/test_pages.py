"""The programs that README.md and the book show run as they are printed."""

import os
from pathlib import Path

import pytest
from mondo_fixtures import ROOT, pages

WORKSPACE = Path(os.environ["MONDO_EXAMPLES"]).parent
PROGRAMS = pages.programs(WORKSPACE)
# What standard has, default has, too.
RUN_HERE = {"default"} if os.environ["MONDO_BUNDLE"] == "core" else {"default", "standard"}


def name(program):
    return f"{program.page.relative_to(WORKSPACE)}"


def test_programs_are_found():
    found = {(name(program), program.bundle) for program in PROGRAMS}
    assert ("README.md", "default") in found
    assert ("docs/guide/fortran.md", "fortran") in found


@pytest.mark.parametrize("program", PROGRAMS, ids=name)
def test_the_bundle_of_a_program_is_one_of_ours(program):
    places = [f"manifests/{program.bundle}.toml", f"examples/{program.bundle}"]
    assert any((WORKSPACE / place).exists() for place in places), program.bundle


@pytest.mark.parametrize(
    "program", [program for program in PROGRAMS if program.bundle in RUN_HERE], ids=name
)
def test_a_program_runs(program, tmp_path, monkeypatch, capsys):
    monkeypatch.chdir(tmp_path)
    labelled = program.code.replace("from mlir.", f"from {ROOT}.")
    pages.run(program._replace(code=labelled))
