"""Text that MLIR's parser must not be given, and the smallest of what it still gets wrong."""

import pytest
from damage import known

DIGITS = "1" * 40_000

REFUSED = {
    "float": (f'"t.a"() {{a = 1.{DIGITS} : f64}} : () -> ()', 1, 14, "more digits"),
    "integer": (f'\n"t.a"() {{a = {DIGITS} : i16777215}} : () -> ()', 2, 14, "more digits"),
    "hexadecimal": (f'"t.a"() {{a = 0x{DIGITS} : i16777215}} : () -> ()', 1, 14, "more digits"),
    "result": ('"t.a"(%0#4294967295) : (i32) -> ()', 1, 9, "the number of a result"),
    "resource": (
        '{-# dialect_resources: {builtin: {k: "0x0000000000"}} #-}',
        1,
        38,
        "a resource with the alignment 0",
    ),
    "attributes": (
        "#a0 = unit\n" + "".join(f"#a{n} = [#a{n - 1}]\n" for n in range(1, 20_000)),
        1502,
        1,
        "aliases in one another",
    ),
    "types": (
        "!a0 = i32\n" + "".join(f"!a{n} = tuple<!a{n - 1}>\n" for n in range(1, 20_000)),
        1502,
        1,
        "aliases in one another",
    ),
    "locations": (
        '#a0 = loc("a")\n' + "".join(f'#a{n} = loc("a"(#a{n - 1}))\n' for n in range(1, 20_000)),
        1001,
        1,
        "aliases in one another",
    ),
}


@pytest.mark.parametrize("kind", REFUSED)
def test_text_is_refused_with_its_place(ir, ctx, kind):
    ctx.allow_unregistered_dialects = True
    text, line, column, why = REFUSED[kind]
    with pytest.raises(ir.MLIRError, match=f"at line {line}, column {column}: {why}"):
        ir.Module.parse(text)


def test_text_near_the_limits_is_read(ir, ctx):
    ctx.allow_unregistered_dialects = True
    chain = "#a0 = unit\n" + "".join(f"#a{n} = [#a{n - 1}]\n" for n in range(1, 1400))
    text = f'{chain}%0:2 = "t.a"() {{a = #a1399, b = 1.{"1" * 9000} : f64}} : () -> (i32, i32)\n'
    text += '"t.b"(%0#1) {a = dense_resource<k> : tensor<1xi8>} : (i32) -> ()\n'
    text += '{-# dialect_resources: {builtin: {k: "0x0100000000"}} #-}'
    assert ir.Module.parse(text).operation.verify()


def test_pipelines_nest_to_a_limit(ctx, passmanager):
    parse = passmanager.PassManager.parse
    assert parse("any(" * 900 + "cse" + ")" * 900)
    for text in ("any(" * 50_000 + "cse" + ")" * 50_000, "any(" * 1001):
        with pytest.raises(ValueError, match="at byte 4003: it nests deeper"):
            parse(text)
    with pytest.raises(ValueError, match="at byte 4003: it nests deeper"):
        passmanager.PassManager("any").add("any(" * 1001)


READ = """
import resource
import sys
from importlib import import_module
ir = import_module(sys.argv[1])
resource.setrlimit(resource.RLIMIT_CORE, (0, 0))
with ir.Context() as context:
    context.allow_unregistered_dialects = True
    try:
        str(ir.Module.parse(sys.argv[2]))
    except ir.MLIRError:
        pass
"""


@pytest.mark.parametrize("kind", known.ENDS_THE_PROCESS)
@pytest.mark.since_llvm(22, "LLVM 19 has other parsers")
@pytest.mark.beyond_core("it has none of these dialects")
def test_known_inputs_still_end_the_process(root, python, kind):
    """An input that MLIR reads now, or that a guard refuses, goes to the tests above."""
    done = python(READ, f"{root}.ir", known.ENDS_THE_PROCESS[kind], may_fail=True)
    assert done.returncode < 0, done.stderr


READ_CHANGED = """
import io
import resource
import sys
from importlib import import_module
ir = import_module(sys.argv[1])
resource.setrlimit(resource.RLIMIT_CORE, (0, 0))
with ir.Context() as context:
    context.allow_unregistered_dialects = True
    stream = io.BytesIO()
    ir.Operation.parse(sys.argv[2]).operation.write_bytecode(stream)
    data = bytearray(stream.getvalue())
    data[int(sys.argv[3])] = int(sys.argv[4])
    try:
        str(ir.Operation.parse(bytes(data)))
    except ir.MLIRError:
        pass
"""


@pytest.mark.parametrize("kind", known.BYTECODE_ENDS_THE_PROCESS)
@pytest.mark.since_llvm(22, "LLVM 19 has other encodings")
@pytest.mark.beyond_core("it has no dialect llvm")
def test_known_bytecode_still_ends_the_process(root, python, kind, llvm):
    inputs = known.BYTECODE_ENDS_THE_PROCESS
    if llvm >= 23:
        inputs = known.BYTECODE_ENDS_THE_PROCESS_SINCE_23
    arguments = map(str, inputs[kind])
    done = python(READ_CHANGED, f"{root}.ir", *arguments, may_fail=True)
    assert done.returncode < 0, done.stderr
