"""Types without a width that a verifier or parser asks for it: MLIR alone would end the process."""

import pytest

# What is said where the verifier itself has nothing against the width.
WRONG_KIND = "has an attribute or a type of the wrong kind"
SHARED = (
    '%0:3 = "t.v"() : () -> (memref<4x4xindex, #gpu.address_space<workgroup>>, index, '
    "memref<4x4xindex, #gpu.address_space<global>>)\n"
)
POINTERS = '%0 = "t.v"() : () -> vector<4x!llvm.ptr>\n'
PER_AXIS = "tensor<2x!quant.uniform<i8:f32:0, {1.0, 1.0}>>"
REFUSED = {
    "amdgpu.dpp": (SHARED + "%1 = amdgpu.dpp %0#1 %0#1 row_shl(0x1 : i32) : index", WRONG_KIND),
    "amdgpu.gather_to_lds": (
        SHARED + "amdgpu.gather_to_lds %0#2[%0#1, %0#1], %0#0[%0#1, %0#1] : index, "
        "memref<4x4xindex, #gpu.address_space<global>>, "
        "memref<4x4xindex, #gpu.address_space<workgroup>>",
        "Transfering type size must be",
    ),
    "amdgpu.make_dma_base": (
        SHARED + "%1 = amdgpu.make_dma_base %0#2[%0#1, %0#1], %0#0[%0#1, %0#1] : "
        "memref<4x4xindex, #gpu.address_space<global>>, "
        "memref<4x4xindex, #gpu.address_space<workgroup>> -> !amdgpu.tdm_base<index>",
        WRONG_KIND,
    ),
    "amdgpu.transpose_load": (
        SHARED + "%1 = amdgpu.transpose_load %0#0[%0#1, %0#1] : "
        "memref<4x4xindex, #gpu.address_space<workgroup>> -> vector<4xindex>",
        "Unsupported element type size",
    ),
    "llvm.intr.vector.extract": (
        POINTERS
        + "%1 = llvm.intr.vector.extract %0[0] : vector<4x!llvm.ptr> from vector<4x!llvm.ptr>",
        WRONG_KIND,
    ),
    "llvm.intr.vector.insert": (
        POINTERS
        + "%1 = llvm.intr.vector.insert %0, %0[0] : vector<4x!llvm.ptr> into vector<4x!llvm.ptr>",
        WRONG_KIND,
    ),
    "nvgpu.device_async_copy": (
        '%0:3 = "t.v"() : () -> (memref<4xindex>, memref<4xindex, 3>, index)\n'
        "%1 = nvgpu.device_async_copy %0#0[%0#2], %0#1[%0#2], 4 : memref<4xindex> to "
        "memref<4xindex, 3>",
        "Requested copy elements is 4",
    ),
    "nvgpu.ldmatrix": (
        '%0:2 = "t.v"() : () -> (memref<4x4xindex, 3>, index)\n'
        "%1 = nvgpu.ldmatrix %0#0[%0#1, %0#1] {numTiles = 4 : i32, transpose = false} : "
        "memref<4x4xindex, 3> -> vector<4x2xindex>",
        "nvgpu.ldmatrix works for 32b or lower",
    ),
    "tosa.clamp": (
        f'%0 = "t.v"() : () -> {PER_AXIS}\n'
        '%1 = "tosa.clamp"(%0) <{max_val = 1 : i8, min_val = 0 : i8}> '
        f": ({PER_AXIS}) -> {PER_AXIS}",
        "'tosa.clamp' op",
    ),
    "xegpu.dpas": (
        '%0 = "t.v"() : () -> vector<8xindex>\n'
        '%1 = "xegpu.dpas"(%0, %0) : (vector<8xindex>, vector<8xindex>) -> vector<8xindex>',
        "'xegpu.dpas' op",
    ),
}
# Nobody verifies the types and attributes of an operation that is not registered.
READ = {
    "!amdgpu.tdm_gather_base": '"t.v"() : () -> !amdgpu.tdm_gather_base<index, i32>',
    "!xegpu.tensor_desc": '"t.v"() : () -> !xegpu.tensor_desc<4xindex>',
}


@pytest.mark.since_llvm(22, "the operations")
@pytest.mark.beyond_standard("dialects of one vendor")
@pytest.mark.beyond_core("dialects beyond arith, builtin and func")
@pytest.mark.parametrize("name", REFUSED)
def test_an_operation_is_refused_that_asks_a_type_for_a_width_that_it_has_not(name, said_of):
    text, message = REFUSED[name]
    said = said_of(text)
    assert said.startswith("refused:") and message in said, said


@pytest.mark.since_llvm(22, "the types")
@pytest.mark.beyond_standard("dialects of one vendor")
@pytest.mark.beyond_core("dialects beyond arith, builtin and func")
@pytest.mark.parametrize("name", READ)
def test_a_type_is_read_that_asks_another_for_a_width_that_it_has_not(name, said_of):
    said = said_of(READ[name])
    assert not said.startswith("refused:") and name in said, said


@pytest.mark.before_llvm(23, "newer LLVMs refuse them")
def test_an_array_of_indices_is_read_and_printed_in_full(said_of):
    for array in ("array<index>", "array<index: 1, -2, 4294967296>"):
        assert array in said_of(f'"t.v"() {{a = {array}}} : () -> ()')


@pytest.mark.beyond_core("the dialect llvm")
def test_the_operation_is_named_among_sound_ones(ir, ctx):
    """Isolated operations are verified in several threads."""
    ctx.allow_unregistered_dialects = True
    sound = "".join(
        f"func.func @f{n}(%a: vector<4xi32>) {{\n"
        "%0 = llvm.intr.vector.insert %a, %a[0] : vector<4xi32> into vector<4xi32>\nreturn\n}\n"
        for n in range(200)
    )
    assert ir.Module.parse(sound).operation.verify()
    text, _ = REFUSED["llvm.intr.vector.insert"]
    with pytest.raises(ir.MLIRError, match=f"'llvm.intr.vector.insert' op {WRONG_KIND}"):
        ir.Module.parse(f"{sound}func.func @g() {{\n{text}\nreturn\n}}")
    assert ir.Module.parse(sound).operation.verify()
