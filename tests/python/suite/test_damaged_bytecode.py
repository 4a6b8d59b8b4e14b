"""Damaged bytecode is refused with the offset of the damage before MLIR reads it."""

import io
import random

import pytest

TEXT = """
func.func @f(%a: i32, %b: memref<4x?xf32>) -> i32 {
  %c = arith.constant dense<[1, 2, 3, 4]> : tensor<4xi32>
  %0 = arith.addi %a, %a : i32
  %1 = arith.addi %0, %0 : i32
  "test.branch"(%1)[^next] : (i32) -> ()
^next:
  return %1 : i32
}
"""


@pytest.fixture
def bytecode(ir, ctx) -> bytes:
    ctx.allow_unregistered_dialects = True
    stream = io.BytesIO()
    ir.Module.parse(TEXT).operation.write_bytecode(stream)
    return stream.getvalue()


def test_sound_bytecode_is_read(ir, bytecode, tmp_path):
    path = tmp_path / "sound.mlirbc"
    path.write_bytes(bytecode)
    texts = {
        str(ir.Module.parse(bytecode)),
        str(ir.Operation.parse(bytecode)),
        str(ir.Module.parseFile(str(path))),
    }
    assert len(texts) == 1, texts


def test_each_way_in_names_the_offset(ir, bytecode, tmp_path):
    damaged = bytecode[:-3]
    path = tmp_path / "damaged.mlirbc"
    path.write_bytes(damaged)
    for parse in (
        lambda: ir.Module.parse(damaged),
        lambda: ir.Operation.parse(damaged),
        lambda: ir.Module.parseFile(str(path)),
    ):
        with pytest.raises(ir.MLIRError, match=r"the bytecode is damaged: at byte \d+: "):
            parse()
    with pytest.raises(ir.MLIRError) as error:
        ir.Operation.parse(damaged, source_name="some.mlirbc")
    assert '"some.mlirbc"' in str(error.value.error_diagnostics[0].location)


def test_random_damage_does_not_end_the_process(ir, ctx, bytecode):
    """The process that runs the tests is the one that would end."""
    chance = random.Random(22)
    refused = 0
    for _ in range(500):
        damaged = bytearray(bytecode)
        # Behind the version and the producer.
        damaged[chance.randrange(20, len(damaged))] = chance.randrange(256)
        try:
            ir.Module.parse(bytes(damaged))
        except ir.MLIRError:
            refused += 1
    assert refused > 300
