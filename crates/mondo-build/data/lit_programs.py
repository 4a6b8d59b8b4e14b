"""lit over Python tests that are programs. mondo writes the values of `mondo` before this file."""

import os

import lit.formats
import lit.Test
import lit.util


class Programs(lit.formats.ShTest):
    """A file with RUN lines runs as these say, another one as a program, by its exit code."""

    def getTestsInDirectory(self, *arguments):
        for test in super().getTestsInDirectory(*arguments):
            if test.getSourcePath() in mondo["files"]:
                yield test

    def execute(self, test, lit_config):
        path = test.getSourcePath()
        with open(path, "rb") as file:
            if b"RUN:" in file.read():
                return super().execute(test, lit_config)
        command = [mondo["python"], path]
        out, err, code = lit.util.executeCommand(
            command, cwd=os.path.dirname(path), env=test.config.environment
        )
        return (lit.Test.FAIL if code else lit.Test.PASS), f"exit code {code}\n{out}\n{err}"


config.name = mondo["name"]
config.test_format = Programs(execute_external=False)
config.suffixes = [".py"]
config.test_source_root = mondo["source"]
config.test_exec_root = mondo["work"]
config.environment["PATH"] = mondo["path"] + os.pathsep + config.environment.get("PATH", "")
config.environment["PYTHONDONTWRITEBYTECODE"] = "1"
config.substitutions += [("%PYTHON", mondo["python"]), ("%python", mondo["python"])]
