"""A group of exactly one operand has one, whatever `operandSegmentSizes` says."""

import importlib
import pkgutil
import subprocess
import sys

import pytest
from mondo_fixtures import ROOT

# Reads each text, and says for which nothing or something else was wrong.
PROGRAM = """
import sys
ir = __import__(sys.argv[1], fromlist=["ir"]).ir
for text in sys.stdin.read().splitlines():
    with ir.Context() as ctx:
        try:
            ir.Operation.parse(text)
        except ir.MLIRError as error:
            if " operand groups require the sizes " in str(error):
                continue
        print(text)
print("end")
"""


def grouped():
    """The operations whose operands are in groups, by the classes that are made from ODS."""
    dialects = importlib.import_module(f"{ROOT}.dialects")
    for module in pkgutil.iter_modules(dialects.__path__):
        if not module.name.endswith("_ops_gen"):
            continue
        generated = importlib.import_module(f"{ROOT}.dialects.{module.name}")
        for value in vars(generated).values():
            groups = getattr(value, "_ODS_OPERAND_SEGMENTS", None)
            if groups and value.__module__ == generated.__name__:
                yield value.OPERATION_NAME, groups


@pytest.mark.since_llvm(22, "the table")
@pytest.mark.beyond_core("dialects with groups of operands")
def test_an_operation_without_an_operand_that_it_must_have_is_refused():
    texts = []
    for name, groups in grouped():
        if 1 in groups:
            sizes = ", ".join("0" for _ in groups)
            texts.append(f'"{name}"() <{{operandSegmentSizes = array<i32: {sizes}>}}> : () -> ()')
    assert len(texts) > 10
    command = [sys.executable, "-c", PROGRAM, ROOT]
    done = subprocess.run(command, input="\n".join(texts), capture_output=True, text=True)
    assert done.returncode == 0, (done.returncode, done.stderr)
    assert done.stdout == "end\n"


@pytest.mark.since_llvm(22, "the table")
@pytest.mark.beyond_core("the dialect vector")
def test_the_error_has_the_sizes_of_the_groups(ir, ctx):
    ctx.allow_unregistered_dialects = True
    text = (
        '%m, %i = "t.v"() : () -> (memref<4xf32>, index)\n'
        '%r = "vector.transfer_read"(%m, %i) <{in_bounds = [true], operandSegmentSizes = '
        "array<i32: 1, 1, 0, 0>, permutation_map = affine_map<(d0) -> (d0)>}> "
        ": (memref<4xf32>, index) -> vector<4xf32>"
    )
    with pytest.raises(ir.MLIRError, match=r"any\) '1\*1\?'"):
        ir.Module.parse(text)
