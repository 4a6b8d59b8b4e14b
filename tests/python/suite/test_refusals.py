"""A parser that goes on after an error, and sizes of 0: MLIR alone would end the process."""

import pytest

PARTS = '%i:2 = "t.v"() : () -> (tensor<4x8xf32>, tensor<4xf32>)\n%r = '
IDENTITY = "ins(%i#0 : tensor<4x8xf32>) outs(%i#0 : tensor<4x8xf32>) "
BROADCAST = "ins(%i#1 : tensor<4xf32>) outs(%i#0 : tensor<4x8xf32>) "
REDUCED = "ins(%i#0 : tensor<4x8xf32>) outs(%i#1 : tensor<4xf32>) "

# Each parser makes an attribute of what it could not read.
GOES_ON = {
    "wasmssa.global, no name": ("wasmssa.global", "expected valid '@'-identifier"),
    "wasmssa.global, no type": ("wasmssa.global @a : {}", "expected non-function type"),
    "linalg.transpose, a number": (
        f"{PARTS}linalg.transpose {IDENTITY}permutation = 1",
        "expected '['",
    ),
    "linalg.transpose, nothing": (
        f"{PARTS}linalg.transpose {IDENTITY}permutation =",
        "expected '['",
    ),
    "linalg.broadcast": (
        f"{PARTS}linalg.broadcast {BROADCAST}dimensions =",
        "expected '['",
    ),
    "linalg.reduce": (
        f"{PARTS}linalg.reduce {{ arith.addf }} {REDUCED}dimensions = 1",
        "expected '['",
    ),
}

LAYOUT = '"t.v"() : () -> !xegpu.tensor_desc<{}xf32, #xegpu.layout<{}>>'


def cases():
    for name, case in GOES_ON.items():
        is_new = name.startswith("wasmssa")
        since, beyond = pytest.mark.since_llvm, pytest.mark.beyond_standard
        marks = [since(22, "the dialect"), beyond("the dialect")] if is_new else ()
        yield pytest.param(case, id=name, marks=marks)


@pytest.mark.beyond_core("dialects beyond arith, builtin and func")
@pytest.mark.parametrize("case", list(cases()))
def test_what_a_parser_could_not_read_is_an_error(case, said_of):
    text, message = case
    said = said_of(text)
    assert said.startswith("refused:") and message in said, said


@pytest.mark.since_llvm(22, "the layouts")
@pytest.mark.beyond_standard("a dialect of one vendor")
@pytest.mark.beyond_core("a dialect of one vendor")
@pytest.mark.parametrize("layout", ["[16, 1], lane_data = [0, 1]", "[1, 16], lane_data = [1, 0]"])
def test_a_layout_whose_parts_are_empty_is_refused(layout, said_of):
    said = said_of(LAYOUT.format("256x128", f"lane_layout = {layout}"))
    assert said.startswith("refused:") and "cannot distribute" in said, said


@pytest.mark.since_llvm(22, "the layouts")
@pytest.mark.beyond_standard("a dialect of one vendor")
@pytest.mark.beyond_core("a dialect of one vendor")
def test_layouts_are_compared_with_shapes_as_before(said_of):
    """By dimensions that are multiples of the parts, are parts of them, and are neither."""
    sound = "lane_layout = [1, 16], lane_data = [{}, 1]"
    for lines in (1, 2, 8):
        said = said_of(LAYOUT.format("8x16", sound.format(lines)))
        assert not said.startswith("refused:"), said
    said = said_of(LAYOUT.format("16x16", "sg_layout = [8, 1], sg_data = [16, 16]"))
    assert not said.startswith("refused:"), said
    for lines in (3, 16):
        said = said_of(LAYOUT.format("8x16", sound.format(lines)))
        assert said.startswith("refused:") and "cannot distribute" in said, said
