"""Verifiers and printers that read an entry of a list for each operand: errors."""

import pytest

DYNAMIC = "-9223372036854775808"
HANDLE = "!transform.any_op"
LINEAR = (
    '%p, %x = "t.v"() : () -> (!llvm.ptr, i32)\n'
    '"omp.simd"(%p, %x) <{operandSegmentSizes = array<i32: 0, 0, 1, 1, 0, 0, 0>}> ({ '
    "omp.loop_nest (%i) : i32 = (%x) to (%x) step (%x) { omp.yield } }) "
    ": (!llvm.ptr, i32) -> ()"
)

# Refused, in the words on the right.
REFUSED = {
    "acc.parallel": (
        '%a = "t.v"() : () -> i64\n"acc.parallel"(%a) <{operandSegmentSizes = '
        "array<i32: 1, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0>}> ({ acc.yield }) : (i64) -> ()",
        "'acc.parallel' op has operands, which require attribute 'asyncOperandsDeviceType'",
    ),
    "acc.loop": (
        '%a = "t.v"() : () -> i64\n"acc.loop"(%a) <{independent = [#acc.device_type<none>], '
        "operandSegmentSizes = array<i32: 0, 0, 0, 0, 1, 0, 0, 0, 0, 0, 0>}> ({ acc.yield }) "
        ": (i64) -> ()",
        "'acc.loop' op has operands, which require attribute 'workerNumOperandsDeviceType'",
    ),
    "acc.routine": (
        "func.func private @f()\n"
        '"acc.routine"() <{func_name = @f, gangDim = [], '
        'gangDimDeviceType = [#acc.device_type<none>], sym_name = "r"}> : () -> ()',
        "requires attribute 'gangDim' to have an entry for each device type",
    ),
    "emitc.expression": (
        '%r = "emitc.expression"() ({ %x = "emitc.rem"() : () -> i32 '
        '"emitc.yield"(%x) : (i32) -> () }) : () -> i32',
        "'emitc.rem' op expected 2 operands, but found 0",
    ),
    "linalg.unpack": (
        '%s, %d = "t.v"() : () -> (tensor<16x16x?x?xf32>, tensor<128x128xf32>)\n'
        '%r = "linalg.unpack"(%s, %d) <{inner_dims_pos = array<i64: 0, 1>, '
        f"static_inner_tiles = array<i64: {DYNAMIC}, {DYNAMIC}>}}> "
        ": (tensor<16x16x?x?xf32>, tensor<128x128xf32>) -> tensor<128x128xf32>",
        "has fewer operands than there are dynamic entries in 'static_inner_tiles'",
    ),
    "llvm.switch": (
        'llvm.func @f(%a: i32, %b: i32) {\n"llvm.switch"(%a, %b)[^one, ^two] '
        "<{case_operand_segments = array<i32>, case_values = dense<1> : vector<1xi32>, "
        "operandSegmentSizes = array<i32: 1, 0, 1>}> : (i32, i32) -> ()\n"
        "^one:\nllvm.return\n^two(%c: i32):\nllvm.return }",
        "requires the number of operands of each successor in 'case_operand_segments'",
    ),
    "llvm.indirectbr": (
        'llvm.func @f(%a: !llvm.ptr, %b: i32) {\n"llvm.indirectbr"(%a, %b)[^one] '
        "<{indbr_operand_segments = array<i32: 2>}> : (!llvm.ptr, i32) -> ()\n"
        "^one(%c: i32):\nllvm.return }",
        "requires the number of operands of each successor in 'indbr_operand_segments'",
    ),
    "nvvm.mma.sync": (
        '%a = "t.v"() : () -> vector<2xf16>\n'
        '%r = "nvvm.mma.sync"(%a, %a, %a, %a) <{layoutA = #nvvm.mma_layout<row>, '
        "layoutB = #nvvm.mma_layout<col>, multiplicandAPtxType = #nvvm.mma_type<f16>, "
        "operandSegmentSizes = array<i32: 2, 2, 0>, shape = #nvvm.shape<m = 8, n = 8, k = 4>}> "
        ": (vector<2xf16>, vector<2xf16>, vector<2xf16>, vector<2xf16>) -> "
        "!llvm.struct<(vector<2xf16>, vector<2xf16>)>",
        "+: some, *: any) '+++'",
    ),
    "omp.declare_reduction": (
        'func.func @f(%p: !llvm.ptr) { "omp.parallel"(%p) <{operandSegmentSizes = '
        "array<i32: 0, 0, 0, 0, 0, 1>, reduction_byref = array<i1: false>, "
        "reduction_syms = [@r]}> ({ ^bb0(%a: !llvm.ptr): omp.terminator }) "
        ": (!llvm.ptr) -> () return }\n"
        '"omp.declare_reduction"() ({}, { ^bb0(%a: i32): omp.yield(%a : i32) }, '
        "{ ^bb0(%a: i32, %b: i32): omp.yield(%a : i32) }, { ^bb0: omp.yield }, {}, {}) "
        '{sym_name = "r", type = i32} : () -> ()',
        "expects atomic reduction region with two arguments of the same type",
    ),
    "omp.declare_mapper": (
        '"omp.declare_mapper"() <{sym_name = "m", type = i32}> ({}) : () -> ()',
        "'omp.declare_mapper' op requires a block in its body",
    ),
    "omp.simd": (LINEAR, "has operands, which require attribute 'linear_var_types'"),
    "shape.function_library": (
        'module attributes {shape.lib = [@l]} { "shape.function_library"() '
        '<{sym_name = "l"}> ({ ^bb0: }) : () -> () }',
        "'shape.function_library' op requires attribute 'mapping'",
    ),
    "shard.all_slice": (
        "shard.grid @g(shape = 4)\n"
        '%t = "t.v"() : () -> tensor<4xi8>\n'
        '%r = "shard.all_slice"(%t) <{grid = @g, slice_axis = -1 : index}> '
        ": (tensor<4xi8>) -> tensor<4xi8>",
        "requires the number of a dimension in 'slice_axis'",
    ),
    "shard.send": (
        "shard.grid @g(shape = 4)\n"
        '%t = "t.v"() : () -> tensor<4xi8>\n'
        f'%r = "shard.send"(%t) <{{destination = array<i64: {DYNAMIC}>, grid = @g}}> '
        ": (tensor<4xi8>) -> tensor<4xi8>",
        "has fewer operands than there are dynamic entries in 'destination'",
    ),
    "shard.sharding": (
        "shard.grid @g(shape = 4)\n"
        '%s = "shard.sharding"() <{grid = @g, operandSegmentSizes = array<i32: 0, 0>, '
        "split_axes = #shard<axisarray[[0]]>, "
        f"static_halo_sizes = array<i64: {DYNAMIC}, {DYNAMIC}>, "
        "static_sharded_dims_offsets = array<i64>}> : () -> !shard.sharding",
        "has fewer operands than there are dynamic entries in 'static_halo_sizes'",
    ),
    "sparse_tensor.coiterate": (
        '"sparse_tensor.coiterate"() <{cases = [0], crdUsedLvls = 0 : i64, '
        "operandSegmentSizes = array<i32: 0, 0>}> ({}) : () -> ()",
        "+: some, *: any) '+*'",
    ),
    "spirv.EXT.ConstantCompositeReplicate": (
        '%r = "spirv.EXT.ConstantCompositeReplicate"() <{value = []}> : () -> vector<2xi32>',
        "unknown value attribute type",
    ),
    "tensor.concat": (
        '%t = "t.v"() : () -> tensor<5xf32>\n'
        '%r = "tensor.concat"(%t, %t) <{dim = -1 : i64}> '
        ": (tensor<5xf32>, tensor<5xf32>) -> tensor<10xf32>",
        "requires the number of a dimension in 'dim'",
    ),
    "tensor.pad": (
        '%t = "t.v"() : () -> tensor<2xf32>\n'
        '%r = "tensor.pad"(%t) <{operandSegmentSizes = array<i32: 1, 0, 0>, '
        f"static_high = array<i64: {DYNAMIC}>, static_low = array<i64: 0>}}> ({{ "
        '^bb0(%i: index): %z = "t.z"() : () -> f32 tensor.yield %z : f32 }) '
        ": (tensor<2xf32>) -> tensor<?xf32>",
        "has fewer operands than there are dynamic entries in 'static_high'",
    ),
    "transform.structured.pack": (
        f"transform.sequence failures(propagate) {{ ^bb0(%a: {HANDLE}): "
        '%r = "transform.structured.pack"(%a) <{static_packed_sizes = '
        f'array<i64: {DYNAMIC}>}}> : ({HANDLE}) -> !transform.op<"linalg.generic"> }}',
        "has fewer operands than there are dynamic entries in 'static_packed_sizes'",
    ),
    "transform.xegpu.set_gpu_launch_threads": (
        f"transform.sequence failures(propagate) {{ ^bb0(%a: {HANDLE}): "
        '"transform.xegpu.set_gpu_launch_threads"(%a) <{static_threads = '
        f"array<i64: {DYNAMIC}, 1, 1>}}> : ({HANDLE}) -> () }}",
        "has fewer operands than there are dynamic entries in 'static_threads'",
    ),
    "xegpu.create_nd_tdesc": (
        '%m = "t.v"() : () -> memref<?x?xf16>\n'
        '%d = "xegpu.create_nd_tdesc"(%m) <{operandSegmentSizes = array<i32: 1, 0, 0, 0>}> '
        ": (memref<?x?xf16>) -> !xegpu.tensor_desc<8x16xf16>",
        "has fewer operands than there are dynamic entries in 'const_shape'",
    ),
    "xegpu.load_nd": (
        '%d = "t.v"() : () -> !xegpu.tensor_desc<16x16xf16>\n'
        '%v = "xegpu.load_nd"(%d) <{transpose = array<i64>}> '
        ": (!xegpu.tensor_desc<16x16xf16>) -> vector<16x16xf16>",
        "requires attribute 'transpose' to have an entry for each dimension",
    ),
    "xegpu.prefetch_nd": (
        '%d = "t.v"() : () -> !xegpu.tensor_desc<8x16xf16>\n'
        f'"xegpu.prefetch_nd"(%d) <{{const_offsets = array<i64: {DYNAMIC}, {DYNAMIC}>}}> '
        ": (!xegpu.tensor_desc<8x16xf16>) -> ()",
        "has fewer operands than there are dynamic entries in 'const_offsets'",
    ),
}

# Sound for their verifiers, and printed in the generic form.
PRINTED = {
    "acc.data": '%a = "t.v"() : () -> !llvm.ptr\n'
    '%d = acc.copyin varPtr(%a : !llvm.ptr) varType(i32) -> !llvm.ptr\n"acc.data"(%d) '
    "<{hasWaitDevnum = [false], operandSegmentSizes = array<i32: 0, 0, 0, 1>, "
    "waitOperandsDeviceType = [#acc.device_type<none>], "
    "waitOperandsSegments = array<i32: 2>}> ({ acc.terminator }) : (!llvm.ptr) -> ()",
    "acc.routine": "func.func private @f()\n"
    '"acc.routine"() <{bindStrNameDeviceType = [#acc.device_type<none>], func_name = @f, '
    'sym_name = "r"}> : () -> ()',
    "llvm.invoke": "llvm.func @p(...) -> i32\n"
    "llvm.func @f() attributes {personality = @p} {\n"
    '"llvm.invoke"()[^one, ^two] <{op_bundle_sizes = array<i32>, '
    "operandSegmentSizes = array<i32: 0, 0, 0, 0>}> : () -> ()\n"
    "^one:\nllvm.return\n"
    "^two:\n%l = llvm.landingpad cleanup : !llvm.struct<(ptr, i32)>\nllvm.return }",
    "omp.taskwait": '"omp.taskwait"() <{depend_kinds = '
    "[#omp<clause_task_depend(taskdependin)>]}> : () -> ()",
    "omp.taskgroup": '%a = "t.v"() : () -> memref<i32>\n'
    '"omp.taskgroup"(%a) <{operandSegmentSizes = array<i32: 1, 0, 0>}> '
    "({ omp.terminator }) : (memref<i32>) -> ()",
    "omp.wsloop": 'func.func @f(%x: i32) { "omp.wsloop"(%x) <{operandSegmentSizes = '
    "array<i32: 0, 0, 0, 0, 0, 0, 1>}> ({ omp.loop_nest (%i) : i32 = (%x) to (%x) step (%x) "
    "{ omp.yield } }) : (i32) -> () return }",
    "pdl_interp.create_operation": "pdl_interp.func @f(%a: !pdl.attribute) { "
    '%o = "pdl_interp.create_operation"() <{inputAttributeNames = ["a"], name = "t.o", '
    "operandSegmentSizes = array<i32: 0, 0, 0>}> : () -> !pdl.operation pdl_interp.finalize }",
    "shard.recv": "shard.grid @g(shape = 4)\n"
    '%t, %i = "t.v"() : () -> (tensor<4xi8>, index)\n'
    '%r = "shard.recv"(%t, %i) <{grid = @g}> : (tensor<4xi8>, index) -> tensor<4xi8>',
    "transform.structured.fuse": f"transform.sequence failures(propagate) {{ ^bb0(%a: {HANDLE}): "
    "%m = transform.param.constant 1 : i64 -> !transform.param<i64> "
    '%r:2 = "transform.structured.fuse"(%a, %m) <{operandSegmentSizes = array<i32: 1, 0, 1>, '
    f"static_tile_sizes = array<i64: 4>}}> : ({HANDLE}, !transform.param<i64>) "
    f"-> ({HANDLE}, {HANDLE}) }}",
    "transform.structured.pad": f"transform.sequence failures(propagate) {{ ^bb0(%a: {HANDLE}): "
    "%m = transform.param.constant 1 : i64 -> !transform.param<i64> "
    '%r:3 = "transform.structured.pad"(%a, %m) <{copy_back_op = "none", nofold_flags = [], '
    "padding_dimensions = [], padding_values = [], transpose_paddings = []}> : "
    f"({HANDLE}, !transform.param<i64>) -> ({HANDLE}, {HANDLE}, {HANDLE}) }}",
    "transform.xegpu.set_desc_layout": "transform.sequence failures(propagate) { "
    f"^bb0(%a: {HANDLE}): "
    '%r = "transform.xegpu.set_desc_layout"(%a) <{operandSegmentSizes = '
    f"array<i32: 1, 0, 0, 0>}}> : ({HANDLE}) -> {HANDLE} }}",
    "xegpu.create_nd_tdesc": '%m, %i = "t.v"() : () -> (memref<4x4xf16>, index)\n'
    '%d = "xegpu.create_nd_tdesc"(%m, %i) <{operandSegmentSizes = array<i32: 1, 0, 1, 0>}> '
    ": (memref<4x4xf16>, index) -> !xegpu.tensor_desc<4x4xf16>",
}

VENDORS = ("spirv.", "transform.xegpu.", "xegpu.")


def cases(table):
    for name, case in table.items():
        marks = []
        if name.startswith(VENDORS):
            marks.append(pytest.mark.beyond_standard("a dialect of one vendor"))
        yield pytest.param(name, case, id=name, marks=marks)


@pytest.mark.since_llvm(22, "the places of groups of operands")
@pytest.mark.beyond_core("dialects beyond arith, builtin and func")
@pytest.mark.parametrize(("name", "case"), list(cases(REFUSED)))
def test_a_list_that_lacks_entries_is_refused(name, case, said_of):
    text, message = case
    said = said_of(text)
    assert said.startswith("refused:") and message in said, said


@pytest.mark.since_llvm(22, "the places of groups of operands")
@pytest.mark.beyond_core("dialects beyond arith, builtin and func")
@pytest.mark.parametrize(("name", "case"), list(cases(PRINTED)))
def test_an_operation_whose_printer_needs_a_list_is_printed_generically(name, case, said_of):
    said = said_of(case)
    assert not said.startswith("refused:") and f'"{name}"(' in said, said
