"""lit over Python tests that are programs."""

import os

import lit.formats
import lit.Test
import lit.util


class Programs(lit.formats.ShTest):
    """A file with RUN lines runs as these say, another one as a program, by its exit code."""

    def __init__(self, files, python):
        super().__init__(execute_external=False)
        self.files = frozenset(files)
        self.python = python

    def getTestsInDirectory(self, *arguments):
        for test in super().getTestsInDirectory(*arguments):
            if test.getSourcePath() in self.files:
                yield test

    def execute(self, test, lit_config):
        path = test.getSourcePath()
        with open(path, "rb") as file:
            if b"RUN:" in file.read():
                return super().execute(test, lit_config)
        out, err, code = lit.util.executeCommand(
            [self.python, path], cwd=os.path.dirname(path), env=test.config.environment
        )
        return (lit.Test.FAIL if code else lit.Test.PASS), f"exit code {code}\n{out}\n{err}"


def configure(config, name, files, source, work, python, pattern, path):
    """Fills in lit's configuration."""
    config.name = name
    config.test_format = Programs(files, python)
    config.suffixes = [".py"]
    config.test_source_root = source
    config.test_exec_root = work
    config.environment["PATH"] = path + os.pathsep + config.environment.get("PATH", "")
    config.environment["PYTHONDONTWRITEBYTECODE"] = "1"
    config.substitutions.append((pattern, python))
