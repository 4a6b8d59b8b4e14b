"""The program of the guide to FIR and HLFIR runs as it is printed."""

from pathlib import Path

from mondo_fixtures import pages


def test_the_program_of_the_guide_runs():
    programs = pages.programs(Path(__file__).parents[3])
    [program] = [program for program in programs if program.bundle == "fortran"]
    pages.run(program)
