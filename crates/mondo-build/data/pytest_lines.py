"""A plug-in of pytest that writes each result as a line of JSON."""

import json
import os


def _write(name, outcome, text):
    with open(os.environ["MONDO_PYTEST_LINES"], "a", encoding="utf-8") as file:
        file.write(json.dumps({"name": name, "outcome": outcome, "text": text}) + "\n")


def pytest_runtest_logreport(report):
    if report.when == "call" or report.outcome != "passed":
        _write(report.nodeid, report.outcome, report.longreprtext)


def pytest_collectreport(report):
    if report.outcome == "failed":
        _write(report.nodeid, report.outcome, report.longreprtext)
