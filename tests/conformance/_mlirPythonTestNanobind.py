"""Stands for the C++ extension of upstream's tests, which is linked against upstream's bindings.

`cargo xtask conformance` lays it beside `_mlir` in its own environment; no wheel has it. Of that
extension, `ir/diagnostic_handler.py` needs one function: it provokes an error with notes and raises
ValueError with the text of all of them.
"""

from .. import ir

# Two symbols of one name: the error quotes the name, and a note shows the operation.
CLASH = """
module @"created error" { module @"attached note" {} }
module @"created error" { module @"attached note" {} }
"""


def test_diagnostics_with_errors_and_notes(context=None):
    """Raises ValueError with an error of `context` and its notes."""
    try:
        ir.Module.parse(CLASH, context)
    except ir.MLIRError as error:
        raise ValueError(str(error)) from None
