"""A plug-in of pytest that writes as lines of JSON which tests there are, each result, and which tests ended."""

import json
import os


def _write(name, outcome, text=""):
    with open(os.environ["MONDO_PYTEST_LINES"], "a", encoding="utf-8") as file:
        file.write(json.dumps({"name": name, "outcome": outcome, "text": text}) + "\n")


def pytest_collection_finish(session):
    for item in session.items:
        _write(item.nodeid, "collected")


def pytest_runtest_logstart(nodeid):
    _write(nodeid, "started")


def pytest_runtest_logfinish(nodeid):
    _write(nodeid, "ended")


def pytest_runtest_logreport(report):
    if report.when == "call" or report.outcome != "passed":
        _write(report.nodeid, report.outcome, report.longreprtext)


def pytest_collectreport(report):
    if report.outcome == "failed":
        _write(report.nodeid, report.outcome, report.longreprtext)
