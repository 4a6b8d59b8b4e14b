"""Damaged bytecode, and text that is too deep, are refused before MLIR reads them."""

import io
import os
import random
import subprocess
import sys
from pathlib import Path

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


@pytest.mark.parametrize("alignment", [8, 64, 4096])
def test_sound_bytecode_is_read_whatever_its_alignment(ir, ctx, alignment):
    """MLIR measures it by addresses, and the bytes of Python are where Python has them."""
    module = ir.Module.parse("module {}")
    with ir.Location.unknown():
        tensor = ir.RankedTensorType.get([4], ir.IntegerType.get_signless(8))
        data = ir.DenseResourceElementsAttr.get_from_buffer(b"abcd", "blob", tensor, alignment)
    ctx.allow_unregistered_dialects = True
    module.operation.attributes["x.data"] = data
    stream = io.BytesIO()
    module.operation.write_bytecode(stream)
    for parse in (ir.Module.parse, ir.Operation.parse):
        assert "61626364" in str(parse(stream.getvalue()))


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


def from_pipe(ir, path, content):
    """The module that ``parseFile`` reads from a pipe, which another process writes to."""
    os.mkfifo(path)
    source = path.with_name("content")
    source.write_bytes(content)
    writer = subprocess.Popen(["sh", "-c", 'cat "$0" > "$1"', source, path])
    try:
        return ir.Module.parseFile(str(path))
    finally:
        writer.wait()
        path.unlink()


def test_a_pipe_is_read_once_and_checked(ir, ctx, bytecode, tmp_path):
    path = tmp_path / "pipe"
    from_text = from_pipe(ir, path, b"func.func private @f()\nfunc.func private @g()")
    assert str(from_text).count("private") == 2
    assert str(from_pipe(ir, path, bytecode)) == str(ir.Module.parse(bytecode))
    with pytest.raises(ir.MLIRError, match=r"the bytecode is damaged: at byte \d+: "):
        from_pipe(ir, path, bytecode[:-3])
    with pytest.raises(ir.MLIRError, match=r"at line 1, column \d+: brackets nest deeper"):
        from_pipe(ir, path, b"[" * 20_000)
    with pytest.raises(ir.MLIRError) as error:
        from_pipe(ir, path, b"func.func private @f()\nfunc.func private @f()")
    location = error.value.error_diagnostics[0].location
    assert (location.filename, location.start_line) == (str(path), 2)


def test_standard_input_is_checked(ir, bytecode):
    program = "import sys; ir = __import__(sys.argv[1], fromlist=['ir']).ir\n"
    program += "with ir.Context() as c:\n  c.allow_unregistered_dialects = True\n"
    program += "  print(ir.Module.parseFile('-'))"
    command = [sys.executable, "-c", program, ir.__name__.rpartition(".")[0]]
    sound = subprocess.run(command, input=bytecode, capture_output=True)
    assert sound.returncode == 0 and b"arith.addi" in sound.stdout, sound.stderr
    damaged = subprocess.run(command, input=bytecode[:-3], capture_output=True)
    assert damaged.returncode == 1 and b"the bytecode is damaged" in damaged.stderr


@pytest.mark.parametrize("version", [0, 4, 6])
def test_attributes_of_the_wrong_kind_are_refused(ir, ctx, version, tmp_path):
    """MLIR sets the property to null, which the verifier of ``arith.addi`` dereferences."""
    ctx.allow_unregistered_dialects = True
    text = """func.func @f(%a: i32) -> i32 {
      %0 = "other.addi"(%a, %a) {overflowFlags = KIND} : (i32, i32) -> i32
      return %0 : i32
    }"""

    def file(kind):
        stream = io.BytesIO()
        module = ir.Module.parse(text.replace("KIND", kind))
        module.operation.write_bytecode(stream, desired_version=version)
        # The names have one length, so that nothing else changes.
        changed = stream.getvalue().replace(b"other\0", b"arith\0")
        return changed

    sound = file("#arith.overflow<nsw>")
    damaged = file('"nsw"')
    path = tmp_path / "damaged.mlirbc"
    path.write_bytes(damaged)
    assert "overflow<nsw>" in str(ir.Module.parse(sound))
    assert "overflow<nsw>" in str(ir.Operation.parse(sound))
    message = "the attribute 'overflowFlags' of 'arith.addi' is of the wrong"
    for parse in (
        lambda: ir.Module.parse(damaged),
        lambda: ir.Operation.parse(damaged),
        lambda: ir.Module.parseFile(str(path)),
    ):
        with pytest.raises(ir.MLIRError, match=message):
            parse()


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


DEEP = {
    "array": ('"t.a"() {a = ', "[", "]", "} : () -> ()"),
    "dictionary": ('"t.a"() {a = ', "{a = ", "}", "} : () -> ()"),
    "tuple": ("func.func private @f(", "tuple<", ">", ")"),
    "region": ("", '"t.a"() ({ ', "}) : () -> () ", ""),
    "affine": ('"t.a"() {a = affine_map<(d0) -> (', "(", ")", ")>} : () -> ()"),
    "minus": ('"t.a"() {a = affine_map<(d0) -> (', "-", "", "d0)>} : () -> ()"),
    "location": ('"t.a"() : () -> () loc(', "fused[", "]", ")"),
}


@pytest.mark.parametrize("kind", DEEP)
def test_deep_text_is_refused_with_its_place(ir, ctx, kind, tmp_path):
    ctx.allow_unregistered_dialects = True
    before, opening, closing, after = DEEP[kind]
    text = "\n" + before + opening * 20_000 + closing * 20_000 + after
    path = tmp_path / "deep.mlir"
    path.write_text(text)
    for parse in (
        lambda: ir.Module.parse(text),
        lambda: ir.Module.parse(text.encode()),
        lambda: ir.Operation.parse(text),
        lambda: ir.Module.parseFile(str(path)),
    ):
        with pytest.raises(ir.MLIRError, match=r"at line 2, column \d+: ") as error:
            parse()
        assert ":2:" in str(error.value.error_diagnostics[0].location)


def test_deep_attributes_and_types_are_refused(ir, ctx):
    with pytest.raises(ir.MLIRError, match="at line 1, column 1001: brackets nest deeper"):
        ir.Attribute.parse("[" * 20_000 + "]" * 20_000)
    with pytest.raises(ir.MLIRError, match="at line 1, column 12006: brackets nest deeper"):
        ir.Type.parse("tuple<" * 20_000 + "i32" + ">" * 20_000)


def test_text_below_the_limit_is_read(ir, ctx):
    ctx.allow_unregistered_dialects = True
    text = '"t.a"() ({ ' * 490 + "}) : () -> () " * 490
    assert ir.Module.parse(text).operation.verify()
    assert ir.Attribute.parse("[" * 990 + "]" * 990)


@pytest.mark.parametrize("kind", ["bytecode", "text", "parts"])
def test_some_made_up_inputs(kind):
    """A sample; docs/design/bytecode.md has the totals."""
    command = [sys.executable, "-m", "damage", kind, "--plain", "--inputs", "1000", "--seed", "1"]
    path = os.pathsep.join([str(Path(__file__).parents[1]), os.environ.get("PYTHONPATH", "")])
    done = subprocess.run(
        command, env={**os.environ, "PYTHONPATH": path}, capture_output=True, text=True
    )
    assert done.returncode == 0, done.stdout + done.stderr


# An attribute or a type with another in it, and its bytes that may refer to itself: their places,
# and what is put there.
CYCLES = {
    "!quant.calibrated<f32<-1.0:1.0>>": [(60, 3)],
    "#llvm.di_derived_type<tag = DW_TAG_pointer_type, baseType = #llvm.di_basic_type<"
    'tag = DW_TAG_base_type, name = "int", sizeInBits = 32, encoding = DW_ATE_signed>, '
    "sizeInBits = 64>": [(55, 3), (56, 3), (61, 3)],
    '#llvm.di_lexical_block<scope = #llvm.di_file<"a" in "b">, '
    'file = #llvm.di_file<"a" in "b">, line = 1, column = 2>': [(53, 3), (57, 1), (58, 3)],
}


def with_bytes(text):
    """Before LLVM 22, the dialect `llvm` writes its attributes into bytecode as text."""
    since_22 = [pytest.mark.since_llvm(22, "LLVM 19 writes them as text")]
    return pytest.param(text, marks=since_22 if text.startswith("#llvm.") else [])


@pytest.mark.beyond_core("the dialects quant and llvm")
@pytest.mark.parametrize("text", [with_bytes(text) for text in CYCLES])
def test_attributes_of_dialects_that_refer_to_themselves_are_refused(ir, ctx, text):
    """MLIR's reader ends the process by its recursion, or reads on for minutes."""
    ctx.allow_unregistered_dialects = True
    stream = io.BytesIO()
    ir.Module.parse(f"module attributes {{x.a = {text}}} {{}}").operation.write_bytecode(stream)
    sound = stream.getvalue()
    refused = 0
    # The places are those of one version of MLIR; around them, other bytes are tried as well.
    for place, value in CYCLES[text]:
        for at in (place - 1, place, place + 1):
            damaged = bytearray(sound)
            damaged[at] = value
            try:
                ir.Module.parse(bytes(damaged))
            except ir.MLIRError as error:
                refused += "refer to themselves" in str(error)
    assert refused
    assert text.split("<")[0] in str(ir.Module.parse(sound))
