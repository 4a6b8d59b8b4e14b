"""Text that MLIR's parsers do not survive must end in an error."""

import pytest

PARSE = """
import sys
from mlir.ir import Context, MLIRError, Module
with Context() as context:
    context.allow_unregistered_dialects = True
    try:
        Module.parse(sys.argv[1])
    except MLIRError as error:
        print("refused:", error)
"""

CASES = {
    "an operation that does not end": "func.func @f() {",
}


@pytest.mark.parametrize("text", CASES.values(), ids=CASES.keys())
def test_text_is_refused(attack, text):
    outcome = attack(PARSE, text)
    assert outcome.status == 0, outcome.errors
    assert outcome.output.startswith("refused:")
