"""The guards before MLIR's verifiers and parsers: none may end the process, or make an input worse.

Each text is in the generic form or has an attribute of the wrong kind. ``SOUND`` is read by plain
MLIR, and what is refused has the words of MLIR, or of the guard where MLIR would end the process.
"""

import json
import os
import shlex
import subprocess
import sys

import pytest

HANDLE = "!transform.any_op"
SEQUENCES = "module attributes {{transform.with_named_sequence}} {{ {} }}"
KERNELS = "module attributes {{gpu.container_module}} {{ {} }}"
LAUNCH = (
    "func.func @f(%c: index) {{ gpu.launch_func {} blocks in (%c, %c, %c) "
    "threads in (%c, %c, %c) return }}"
)
LOOP_OVER = f'"transform.foreach"(%a) ({{{{ ^bb0(%b: {HANDLE}): {{}} }}}}) : ({HANDLE}) -> ()'
DECLARED = (
    "{}, { ^bb0(%a: i32): omp.yield(%a : i32) }, { ^bb0(%a: i32, %b: i32): omp.yield(%a : i32) }"
)
SPIRV = "spirv.module Logical GLSL450 {{ {} }}"
MODE = (
    'spirv.module Logical GLSL450 {{ spirv.func @f() "None" {{ spirv.Return }} '
    'spirv.EntryPoint "GLCompute" @f spirv.ExecutionMode @f "LocalSize", 1, 1, {} }}'
)


def sequence(body, arguments=f"%a: {HANDLE}"):
    return SEQUENCES.format(f"transform.named_sequence @s({arguments}) {{ {body} }}")


def generic_sequence(body):
    return SEQUENCES.format(
        f'"transform.named_sequence"() <{{function_type = ({HANDLE}) -> (), sym_name = "s"}}> '
        f"({{ ^bb0(%a: {HANDLE}): {body} }}) : () -> ()"
    )


# MLIR's verifier of the outer operation takes what is in it for verified.
INSIDE = {
    # Of this shape are two mutated files of bytecode.
    "a loop without a terminator, in a sequence without one": (
        generic_sequence(LOOP_OVER.format('"t.end"() : () -> ()') + ' "t.end"() : () -> ()'),
        "expects children ops to implement TransformOpInterface",
    ),
    "a loop over another dialect's operation": (
        sequence(
            LOOP_OVER.format("%c = arith.constant 1 : i32 transform.yield") + " transform.yield"
        ),
        "expects children ops to implement TransformOpInterface",
    ),
    "a loop with another terminator": (
        sequence(LOOP_OVER.format("func.return") + " transform.yield"),
        "'func.return' op expects parent op 'func.func'",
    ),
    "a loop of nothing in a loop": (
        sequence(
            LOOP_OVER.format(f'"transform.foreach"(%b) ({{}}) : ({HANDLE}) -> () transform.yield')
            + " transform.yield"
        ),
        "region #0 ('body') failed to verify constraint",
    ),
    "a use of a handle deep inside": (
        sequence(
            LOOP_OVER.format(
                f'"transform.foreach"(%b) ({{ ^bb0(%d: {HANDLE}): '
                f'"transform.foreach"(%a) : ({HANDLE}) -> () transform.yield }}) '
                f": ({HANDLE}) -> () transform.yield"
            )
            + " transform.yield"
        ),
        "'transform.foreach' op requires one region",
    ),
    "a landing pad without a result": (
        "llvm.func @p(...) -> i32 llvm.func @f() attributes {personality = @p} { "
        '"llvm.landingpad"() : () -> () llvm.return }',
        "'llvm.landingpad' op requires one result",
    ),
}

# A verifier looks up an operation that is not there, or that nobody has verified.
LOOKED_UP = {
    "a sequence with too few attributes of arguments": (
        SEQUENCES.format(
            f"transform.named_sequence @t(%a: {HANDLE}) {{ transform.include @s "
            f"failures(propagate) (%a) : ({HANDLE}) -> () transform.yield }} "
            f'"transform.named_sequence"() <{{arg_attrs = [], function_type = ({HANDLE}) -> (), '
            f'sym_name = "s"}}> ({{ ^bb0(%a: {HANDLE}): transform.yield }}) : () -> ()'
        ),
        "got 0, but expected 1",
    ),
    "a kernel in a table without a region": (
        KERNELS.format(
            'gpu.module @m { "builtin.module"() {sym_name = "x"} : () -> () } '
            + LAUNCH.format("@m::@x::@k")
        ),
        "'builtin.module' op requires one region",
    ),
    "a kernel whose type is no function's": (
        KERNELS.format(
            'gpu.module @m { "gpu.func"() <{function_type = i32}> ({ gpu.return }) '
            '{gpu.kernel, sym_name = "k"} : () -> () } ' + LAUNCH.format("@m::@k")
        ),
        "'gpu.func' op",
    ),
    "a library that is not there": (
        "module attributes {shape.lib = [@none]} {}",
        "@none does not refer to FunctionLibraryOp",
    ),
    "a constituent that is a variable": (
        SPIRV.format(
            "spirv.GlobalVariable @g : !spirv.ptr<i32, Input> "
            "spirv.SpecConstantComposite @s (@g) : !spirv.array<1 x i32>"
        ),
        "unknown constituent @g",
    ),
    "a constituent without a value": (
        SPIRV.format(
            "spirv.SpecConstantComposite @s (@g) : !spirv.array<1 x i32> "
            '"spirv.SpecConstant"() <{sym_name = "g"}> : () -> ()'
        ),
        "requires attribute 'default_value'",
    ),
}

TENSOR = '%t = "t.v"() : () -> tensor<4xf32>\n'
VECTORS = '%a, %b, %c = "t.v"() : () -> (vector<4xf32>, vector<4xf32>, f32)\n'
MEMORY = (
    '%m, %i, %f, %v, %k = "t.v"() : () -> '
    "(memref<4xf32>, index, f32, vector<4xf32>, vector<4xi1>)\n"
)
GENERIC = (
    TENSOR + "%r = linalg.generic {{indexing_maps = [affine_map<(d0) -> (d0)>], "
    "iterator_types = [{}]}} outs(%t : tensor<4xf32>) "
    "{{ ^bb0(%a: f32): linalg.yield %a : f32 }} -> tensor<4xf32>"
)
CONTRACT = (
    VECTORS + "%r = vector.contract {{indexing_maps = [affine_map<(d0) -> (d0)>, "
    "affine_map<(d0) -> (d0)>, affine_map<(d0) -> ()>], iterator_types = [{}], "
    "kind = #vector.kind<add>}} %a, %b, %c : vector<4xf32>, vector<4xf32> into f32"
)
READ = (
    MEMORY + "%r = vector.transfer_read %m[%i], %f, %k {{permutation_map = {}}} "
    ": memref<4xf32>, vector<4xf32>"
)
WRITE = (
    MEMORY + "vector.transfer_write %v, %m[%i], %k {{permutation_map = {}}} "
    ": vector<4xf32>, memref<4xf32>"
)

# A parser takes an attribute that it has read for one of a kind.
MISREAD = {
    "linalg.generic": (GENERIC, ["i32", "unit", '"parallel", !transform.any_op', "[]"]),
    "vector.contract": (CONTRACT, ["i32", "#vector.iterator_type<reduction>"]),
    "vector.transfer_read": (READ, ["i32", "1 : i32", "unit"]),
    "vector.transfer_write": (WRITE, ['"a"', "[]"]),
    "spirv.ExecutionMode": (MODE, [HANDLE, "unit", '"a"', "[1]", "{}"]),
}

# Plain MLIR reads these.
SOUND = {
    "a declaration that refers to itself": '"omp.declare_reduction"() '
    f"({DECLARED}, {{}}, {{}}, {{}}) "
    '{sym_name = "r", type = i32, reduction_syms = [@r]} : () -> ()',
    "linalg.generic": GENERIC.format('"parallel"'),
    "vector.contract": CONTRACT.format('"reduction"'),
    "vector.transfer_read": READ.format("affine_map<(d0) -> (d0)>"),
    "spirv.ExecutionMode": MODE.format("1"),
    "sequences that include each other": SEQUENCES.format(
        f"transform.named_sequence @t(%a: {HANDLE}) {{ transform.include @s failures(propagate) "
        f"(%a) : ({HANDLE}) -> () transform.yield }} "
        f"transform.named_sequence @s(%a: {HANDLE} {{transform.readonly}}) {{ "
        + LOOP_OVER.format("transform.yield")
        + " transform.yield }"
    ),
}

# Reads each text of standard input in a child, and says how the child ended and what it said.
PROGRAM = """
import io, json, os, sys
from mlir.ir import Context, MLIRError, Module

def read(text):
    with Context() as context:
        context.allow_unregistered_dialects = True
        try:
            operation = Module.parse(text).operation
        except MLIRError as error:
            return f"refused: {error}"
        str(operation)
        operation.get_asm(print_generic_op_form=True)
        operation.write_bytecode(io.BytesIO())
        return "read"

for text in json.load(open(sys.argv[1])):
    ours, theirs = os.pipe()
    child = os.fork()
    if child == 0:
        os.write(theirs, read(text).encode())
        os._exit(0)
    os.close(theirs)
    with open(ours) as said:
        said = said.read()
    status = os.waitstatus_to_exitcode(os.waitpid(child, 0)[1])
    print(json.dumps([status, said]), flush=True)
"""


def cases():
    yield from ((name, text, message) for name, (text, message) in INSIDE.items())
    yield from ((name, text, message) for name, (text, message) in LOOKED_UP.items())
    for name, (text, attributes) in MISREAD.items():
        yield from ((f"{name}: {one}", text.format(one), "refused:") for one in attributes)
    yield from ((f"sound: {name}", text, "read") for name, text in SOUND.items())


CASES = list(cases())


@pytest.fixture(scope="module")
def texts(tmp_path_factory):
    """The file with all texts."""
    path = tmp_path_factory.mktemp("guards") / "texts.json"
    path.write_text(json.dumps([text for _, text, _ in CASES]))
    return path


@pytest.fixture(scope="module")
def outcomes(texts):
    """How each case ended: a status, negative for a signal, and what was said of it."""
    done = subprocess.run(
        [sys.executable, "-c", PROGRAM, texts], capture_output=True, text=True, timeout=60
    )
    assert done.returncode == 0, done.stderr
    lines = [json.loads(line) for line in done.stdout.splitlines()]
    return {name: line for (name, _, _), line in zip(CASES, lines, strict=True)}


@pytest.mark.parametrize(
    ("name", "message"), [(name, message) for name, _, message in CASES], ids=[c[0] for c in CASES]
)
def test_a_guard_refuses_what_a_verifier_or_parser_takes_for_granted(name, message, outcomes):
    status, said = outcomes[name]
    assert status == 0, f"ended with {status}"
    assert message in said, said


@pytest.mark.long
def test_no_guard_reads_memory_of_others(texts):
    """The same under memcheck; ``MONDO_VALGRIND`` is the beginning of its command."""
    runner = shlex.split(os.environ.get("MONDO_VALGRIND", ""))
    if not runner:
        pytest.skip("no valgrind")
    done = subprocess.run(
        # CPython and the loader have errors of their own, so that the status says nothing.
        [*runner, "--undef-value-errors=no", "--error-exitcode=0"]
        + [sys.executable, "-c", PROGRAM, texts],
        capture_output=True,
        text=True,
        timeout=900,
        env={**os.environ, "PYTHONMALLOC": "malloc"},
    )
    statuses = [json.loads(line)[0] for line in done.stdout.splitlines()]
    assert statuses == [0] * len(CASES), done.stderr[-4000:]
    assert "mondo.so" not in done.stderr, done.stderr
