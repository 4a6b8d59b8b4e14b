# The beginning of the configuration that mondo writes for a project's lit suite. A suite that asks for the
# system's shell gets it: since LLVM 23, lit refuses that without a further argument.
import inspect

import lit.formats

made = lit.formats.ShTest.__init__


def make(self, execute_external=False, *others, **more):
    if execute_external:
        more.setdefault("force_execute_external", True)
    made(self, execute_external, *others, **more)


if "force_execute_external" in inspect.signature(made).parameters:
    lit.formats.ShTest.__init__ = make
