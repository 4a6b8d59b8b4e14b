"""The premises of verifiers and printers are asked first: an error, where MLIR ends the process."""

import pytest

VALUES = '%0:3 = "t.v"() : () -> (memref<4xf32>, index, vector<4xi1>)\n'

# Operations that another's verifier looks into.
BESIDE = {
    "vector.mask": (
        VALUES + '%v = "t.v"() : () -> vector<4xf32>\n'
        '"vector.mask"(%0#2) ({ "vector.transfer_write"(%v, %0#0, %0#1) <{in_bounds = [true], '
        "operandSegmentSizes = array<i32: 1, 1, 1, 0>}> : (vector<4xf32>, memref<4xf32>, index) "
        "-> ()"
        ' "vector.yield"() : () -> () }) : (vector<4xi1>) -> ()',
        "'vector.transfer_write' op requires attribute 'permutation_map'",
    ),
    "gpu.func": (
        "module attributes {gpu.container_module} { gpu.module @m { "
        '"gpu.func"() ({ gpu.return }) {gpu.kernel, sym_name = "k"} : () -> () } '
        "func.func @f(%c: index) { gpu.launch_func @m::@k blocks in (%c, %c, %c) "
        "threads in (%c, %c, %c) return } }",
        "'gpu.func' op requires attribute 'function_type'",
    ),
    "gpu.launch_func": (
        "module { module attributes {gpu.container_module} { gpu.module @m { "
        "gpu.func @k(%a: i32) kernel { gpu.return } } func.func @f(%c: index) { "
        '"gpu.launch_func"(%c, %c, %c, %c, %c, %c) <{kernel = @m::@k, operandSegmentSizes = '
        "array<i32: 0, 1, 1, 1, 1, 1, 1, 0, 0, 0, 0, 1, 0>}> "
        ": (index, index, index, index, index, index) -> () return } } }",
        "'gpu.launch_func' op operand count (6) does not match with the total size (7)",
    ),
    "gpu.module": (
        'module attributes {gpu.container_module} { "gpu.module"() {sym_name = "m"} : () -> () '
        "func.func @f(%c: index) { gpu.launch_func @m::@k blocks in (%c, %c, %c) "
        "threads in (%c, %c, %c) return } }",
        "'gpu.module' op requires one region",
    ),
    "scf.forall.in_parallel": (
        "func.func @f(%c: index, %t: tensor<4xf32>) { "
        "%r = scf.forall (%i) in (%c) shared_outs(%o = %t) -> (tensor<4xf32>) { "
        '"scf.forall.in_parallel"() ({ "tensor.parallel_insert_slice"() <{operandSegmentSizes = '
        "array<i32: 1, 1, 0, 0, 0>, static_offsets = array<i64: 0>, static_sizes = array<i64: 4>, "
        "static_strides = array<i64: 1>}> : () -> () }) : () -> () } return }",
        "'tensor.parallel_insert_slice' op",
    ),
    "memref.generic_atomic_rmw": (
        VALUES + '%r = "memref.generic_atomic_rmw"(%0#0, %0#1) ({ ^bb0(%a: f32): '
        '"transform.foreach"() : () -> () "memref.atomic_yield"(%a) : (f32) -> () }) '
        ": (memref<4xf32>, index) -> f32",
        "'transform.foreach' op requires one region",
    ),
    "spirv.func": (
        'spirv.func @f() -> i32 "None" { "spirv.ReturnValue"() : () -> () }',
        "'spirv.ReturnValue' op requires a single operand",
    ),
    "llvm.func": (
        'llvm.func @f() { "llvm.resume"() : () -> () }',
        "'llvm.resume' op requires a single operand",
    ),
    "transform.named_sequence": (
        "module attributes {transform.with_named_sequence} { "
        "transform.named_sequence @s(%a: !transform.any_op) { "
        '"transform.foreach"(%a) : (!transform.any_op) -> () transform.yield } }',
        "'transform.foreach' op requires one region",
    ),
    "transform.foreach": (
        "transform.sequence failures(propagate) { ^bb0(%a: !transform.any_op): "
        '"transform.foreach"(%a) '
        '({ ^bb0(%b: !transform.any_op): "t.v"() : () -> () transform.yield }) '
        ": (!transform.any_op) -> () }",
        "expects children ops to implement TransformOpInterface",
    ),
    "transform.include": (
        "module attributes {transform.with_named_sequence} { "
        "transform.named_sequence @s(%a: !transform.any_op {transform.readonly}) { "
        "transform.yield } "
        "transform.named_sequence @t(%a: !transform.any_op) { transform.include @s "
        "failures(propagate) "
        "(%a, %a) : (!transform.any_op, !transform.any_op) -> () transform.yield } }",
        "incorrect number of operands for callee",
    ),
    "llvm.mlir.ifunc": (
        "llvm.mlir.ifunc @f : !llvm.func<f32 (i64)>, !llvm.ptr @resolver",
        "'llvm.mlir.ifunc' op must have a function resolver",
    ),
    "omp.new_cli": (
        '%a = omp.new_cli "t.v"(%a) : (!omp.cli) -> ()',
        "'omp.new_cli' op is used by an operation that transforms no loop",
    ),
    "omp.tile": (
        '%v:3 = "t.v"() : () -> (!omp.cli, !omp.cli, i32) "t.v"(%v#0) : (!omp.cli) -> () '
        '"omp.tile"(%v#0, %v#1, %v#2, %v#2) <{operandSegmentSizes = array<i32: 0, 2, 2>}> '
        ": (!omp.cli, !omp.cli, i32, i32) -> ()",
        "'omp.tile' op currently only supports omp.canonical_loop as applyee",
    ),
    "transform.smt.constrain_params": (
        "transform.sequence failures(propagate) { ^bb0(%a: !transform.any_op): "
        '"transform.smt.constrain_params"() ({ "t.v"() : () -> () smt.yield }) : () -> () }',
        "ops contained in region should belong to SMT-dialect",
    ),
    "spirv.SpecConstantComposite": (
        "spirv.SpecConstantComposite @s (@none) : !spirv.array<1 x i32>",
        "unknown constituent",
    ),
}

# Parts of an operation that its own verifier takes for granted.
PARTS = {
    "arith.select": (
        '%0:2 = "t.v"() : () -> (vector<4xi1>, complex<f32>)\n'
        '%1 = "arith.select"(%0#0, %0#1, %0#1) : (vector<4xi1>, complex<f32>, complex<f32>) '
        "-> complex<f32>",
        "'arith.select' op requires a result that has a shape",
    ),
    "arm_sme.intr.read.vert": (
        '%0:3 = "t.v"() : () -> (vector<[4]xf32>, vector<[4]xi1>, i32)\n'
        '%1 = "arm_sme.intr.read.vert"(%0#0, %0#1, %0#2) <{tile_id = 0 : i32}> '
        ": (vector<[4]xf32>, vector<[4]xi1>, i32) -> f32",
        "'arm_sme.intr.read.vert' op requires a result that has a shape",
    ),
    "irdl.type": (
        'irdl.dialect @d { "irdl.type"() ({}) {sym_name = ""} : () -> () }',
        "'irdl.type' op requires a text in 'sym_name'",
    ),
    "linalg.log": ('"linalg.log"() ({}) : () -> ()', "'linalg.log' op requires an output"),
    "llvm.atomicrmw": (
        '%0:2 = "t.v"() : () -> (!llvm.ptr, tensor<4xi8>)\n'
        '%1 = "llvm.atomicrmw"(%0#0, %0#1) {bin_op = 1 : i64, ordering = 2 : i64} '
        ": (!llvm.ptr, tensor<4xi8>) -> i32",
        "'llvm.atomicrmw' op takes vectors, numbers and pointers of LLVM",
    ),
    "llvm.intr.vector.interleave2": (
        '%0 = "t.v"() : () -> vector<[4]xf16>\n%1 = "llvm.intr.vector.interleave2"(%0, %0) '
        ": (vector<[4]xf16>, vector<[4]xf16>) -> !llvm.ptr",
        "'llvm.intr.vector.interleave2' op requires a result that has a shape",
    ),
    "memref.global": (
        '"memref.global"() {initial_value = dense<1> : vector<4xi1>, sym_name = "g", '
        "type = memref<2xf32>} : () -> ()",
        "'memref.global' op requires elements of a tensor in 'initial_value'",
    ),
    "nvvm.mma.sync's result": (
        '%v, %i = "t.v"() : () -> (vector<4xf16>, i32)\n'
        '%r = "nvvm.mma.sync"(%i, %i, %i, %v, %i, %i, %i) <{layoutA = #nvvm.mma_layout<row>, '
        "layoutB = #nvvm.mma_layout<col>, multiplicandAPtxType = #nvvm.mma_type<s8>, "
        "multiplicandBPtxType = #nvvm.mma_type<u8>, operandSegmentSizes = array<i32: 2, 1, 4>, "
        "shape = #nvvm.shape<m = 16, n = 8, k = 16>}> : (i32, i32, i32, vector<4xf16>, i32, i32, "
        "i32) -> !llvm.struct<(i32, i32, i32, i32)>",
        "'nvvm.mma.sync' op has a matrix C or a result of a type that no PTX type belongs to",
    ),
    "omp.teams": (
        '"t.a"() ({\n%0 = "t.v"() : () -> memref<i32>\n"omp.teams"(%0, %0) ({}) '
        "{operandSegmentSizes = array<i32: 1, 1, 0, 0, 0, 0, 0, 0>} "
        ": (memref<i32>, memref<i32>) -> ()\n}) : () -> ()",
        "'omp.teams' op is in an operation that is not registered",
    ),
    "smt.exists": (
        '"smt.exists"() ({\n^a(%x: !smt.int):\n%0 = "t.v"() : () -> !smt.bool\n'
        '"smt.yield"(%0) : (!smt.bool) -> ()\n}, {\n^b(%x: !smt.int):\n'
        '%1 = "t.v"() : () -> f32\n"smt.yield"(%1) : (f32) -> ()\n}) : () -> !smt.bool',
        "'smt.exists' op 'patterns' regions may only contain SMT dialect operations",
    ),
    "tensor.expand_shape": (
        '%t = "t.v"() : () -> tensor<4xf32>\n'
        '%r = "tensor.expand_shape"(%t) <{reassociation = [[]], static_output_shape = '
        "array<i64: 4>}> : (tensor<4xf32>) -> tensor<4xf32>",
        "'tensor.expand_shape' op requires no empty list in 'reassociation'",
    ),
    "vector.transfer_write": (
        '%0:3 = "t.v"() : () -> (vector<4xi8>, tensor<4x!quant.uniform<i8:f32, 2.0:1>>, index)\n'
        '%1 = "vector.transfer_write"(%0#0, %0#1, %0#2) {in_bounds = [false], '
        "operandSegmentSizes = array<i32: 1, 1, 1, 0>, permutation_map = affine_map<(d0) -> (d0)>} "
        ": (vector<4xi8>, tensor<4x!quant.uniform<i8:f32, 2.0:1>>, index) "
        "-> tensor<4x!quant.uniform<i8:f32, 2.0:1>>",
        "'vector.transfer_write' op requires elements of types that have a size",
    ),
    "wasmssa.global_get": (
        '"t.a"() ({ "wasmssa.global"() ({ %0 = "wasmssa.global_get"() {global = @g} : () -> i32 '
        '"wasmssa.return"(%0) : (i32) -> () }) {sym_name = "h", type = i32} : () -> () }) '
        ": () -> ()",
        "'wasmssa.global_get' op is in no table of symbols",
    ),
    "xegpu.create_mem_desc": (
        '%0 = "t.v"() : () -> memref<2x3xi32>\n'
        '%1 = "xegpu.create_mem_desc"(%0) : (memref<2x3xi32>) -> !xegpu.mem_desc<32x32xf32>',
        "'xegpu.create_mem_desc' op requires a memory space",
    ),
    "affine.dma_start": (
        VALUES + '"affine.dma_start"(%0#0, %0#0, %0#0, %0#1) {dst_map = affine_map<() -> ()>} '
        ": (memref<4xf32>, memref<4xf32>, memref<4xf32>, index) -> ()",
        "requires affine maps with an operand for each input: 'src_map dst_map tag_map'",
    ),
    "affine.dma_wait": (
        VALUES + '"affine.dma_wait"(%0#0, %0#1) : (memref<4xf32>, index) -> ()',
        "requires affine maps with an operand for each input: 'tag_map'",
    ),
    "affine.parallel": (
        '"affine.parallel"() <{lowerBoundsGroups = dense<1> : tensor<1xi32>, '
        "lowerBoundsMap = affine_map<(d0) -> (d0)>, reductions = [], steps = [1], "
        "upperBoundsGroups = "
        "dense<1> : tensor<1xi32>, upperBoundsMap = affine_map<() -> (9)>}> "
        '({ ^bb0(%i: index): "affine.yield"() : () -> () }) : () -> ()',
        "an operand for each input: 'lowerBoundsMap upperBoundsMap'",
    ),
    "async.await": (
        'func.func @f(%a: !async.value<f32>) { "async.await"(%a) : (!async.value<f32>) -> () '
        "return }",
        "'async.await' op requires one result, as it awaits '!async.value<f32>'",
    ),
    "cf.switch": (
        'func.func @f(%a: i32) { "cf.switch"(%a)[^bb1, ^bb1] <{case_operand_segments = '
        "array<i32: 0>, "
        "operandSegmentSizes = array<i32: 1, 0, 0>}> : (i32) -> () ^bb1: return }",
        "'cf.switch' op has successors, which require attribute 'case_values'",
    ),
    "gpu.launch": (
        'func.func @f(%c: index) { "gpu.launch"(%c, %c, %c, %c, %c, %c) <{operandSegmentSizes = '
        "array<i32: 0, 1, 1, 1, 1, 1, 1, 0, 0, 0, 0>}> ({}) "
        ": (index, index, index, index, index, index) -> () return }",
        "'gpu.launch' op requires a block in its body",
    ),
    "gpu.func's buffers": (
        'gpu.module @m { "gpu.func"() <{function_type = (i32) -> ()}> ({ ^bb0(%a: i32): '
        "gpu.return }) "
        '{sym_name = "k", workgroup_attributions = -1 : i64} : () -> () }',
        "'gpu.func' op unexpected number of region arguments",
    ),
    "linalg.reduce": (
        '"linalg.reduce"() <{dimensions = array<i64: 0>}> ({ linalg.yield }) : () -> ()',
        "'linalg.reduce' op requires an output",
    ),
    "linalg.matmul": (
        '%t = "t.v"() : () -> tensor<4x4xf32>\n%r = linalg.matmul indexing_maps = [] '
        "ins(%t, %t : tensor<4x4xf32>, tensor<4x4xf32>) outs(%t : tensor<4x4xf32>) -> "
        "tensor<4x4xf32>",
        "expected the number of indexing_map (0) to be equal to the number of input/output "
        "operands (3)",
    ),
    "linalg.conv_1d": (
        '%m = "t.v"() : () -> memref<?xf32>\nlinalg.conv_1d {linalg.memoized_indexing_maps = []} '
        "ins(%m, %m : memref<?xf32>, memref<?xf32>) outs(%m : memref<?xf32>)",
        "expected the number of indexing_map (0) to be equal to the number of input/output "
        "operands (3)",
    ),
    "llvm.insertvalue": (
        '%s:2 = "t.v"() : () -> (!llvm.array<2 x struct<(i32)>>, i32)\n'
        '%r = "llvm.insertvalue"(%s#0, %s#1) <{position = array<i64: 0, 4294967296000000>}> '
        ": (!llvm.array<2 x struct<(i32)>>, i32) -> !llvm.array<2 x struct<(i32)>>",
        "'llvm.insertvalue' op position out of bounds: 4294967296000000",
    ),
    "llvm.extractvalue": (
        '%s = "t.v"() : () -> !llvm.struct<(i32)>\n'
        '%r = "llvm.extractvalue"(%s) <{position = array<i64: 4294967296000000>}> '
        ": (!llvm.struct<(i32)>) -> i32",
        "'llvm.extractvalue' op position out of bounds: 4294967296000000",
    ),
    "nvgpu.mma.sync": (
        '%v:3 = "t.v"() : () -> (vector<4x2xf16>, vector<2x2xf16>, vector<2x2xf16>)\n'
        '%r = "nvgpu.mma.sync"(%v#0, %v#1, %v#2) <{mmaShape = []}> '
        ": (vector<4x2xf16>, vector<2x2xf16>, vector<2x2xf16>) -> vector<2x2xf16>",
        "'nvgpu.mma.sync' op requires more entries in 'mmaShape'",
    ),
    "nvvm.mma.sync": (
        '%v = "t.v"() : () -> vector<2xf16>\n'
        '%r = "nvvm.mma.sync"(%v, %v, %v, %v, %v, %v, %v, %v) <{layoutA = #nvvm.mma_layout<row>, '
        "layoutB = #nvvm.mma_layout<col>, operandSegmentSizes = array<i32: 2, 2, 4>, "
        "shape = #nvvm.shape<m = 8, n = 8, k = 4>}> : (vector<2xf16>, vector<2xf16>, "
        "vector<2xf16>, "
        "vector<2xf16>, vector<2xf16>, vector<2xf16>, vector<2xf16>, vector<2xf16>) "
        "-> !llvm.struct<(vector<2xf16>, vector<2xf16>, vector<2xf16>, vector<2xf16>)>",
        "'nvvm.mma.sync' op requires attribute 'multiplicandAPtxType'",
    ),
    "sparse_tensor.unary": (
        '%a = "t.v"() : () -> f32\n%r = "sparse_tensor.unary"(%a) '
        "({ ^bb0(%b: f32): }, {}) : (f32) -> f32",
        "empty block: expect at least a terminator",
    ),
    "spirv.func's arguments": (
        '"spirv.func"() <{arg_attrs = [], function_control = #spirv.function_control<None>, '
        "function_type = (!spirv.ptr<i32, PhysicalStorageBuffer>) -> (), sym_name = "
        '"f"}> ({ ^bb0(%a: !spirv.ptr<i32, PhysicalStorageBuffer>): spirv.Return }) : () -> ()',
        "number of elements as the number of function arguments, got 0, but expected 1",
    ),
    "spirv.Switch": (
        'func.func @f(%a: i32) { "spirv.Switch"(%a)[^bb1, ^bb1] <{case_operand_segments = '
        "array<i32: 0>, operandSegmentSizes = array<i32: 1, 0, 0>}> : (i32) -> () ^bb1: return }",
        "'spirv.Switch' op has successors, which require attribute 'literals'",
    ),
    "transform.sequence": (
        "transform.with_pdl_patterns { ^bb0(%a: !transform.any_op): "
        '"transform.sequence"(%a) <{failure_propagation_mode = 1 : i32, '
        "operandSegmentSizes = array<i32: 1, 0>}> ({}) : (!transform.any_op) -> () }",
        "'transform.sequence' op region #0 ('body') failed to verify constraint",
    ),
    "xegpu.dpas": (
        '%v = "t.v"() : () -> vector<8xf64>\n'
        '%r = "xegpu.dpas"(%v, %v) : (vector<8xf64>, vector<8xf64>) -> vector<8xf64>',
        "'xegpu.dpas' op",
    ),
}

# Parts that are optional for the verifier and not for the printer.
PRINTED = {
    "gpu.binary": '"gpu.binary"() <{objects = [#gpu.object<#rocdl.target, "a">], sym_name = "b"}> '
    ": () -> ()",
    "llvm.call": "llvm.func @g(i32) llvm.func @f(%a: i32) { "
    '"llvm.call"(%a) <{arg_attrs = [], callee = @g, op_bundle_sizes = array<i32>, '
    "operandSegmentSizes = array<i32: 1, 0>}> : (i32) -> () llvm.return }",
    "acc.kernels": '%a = "t.v"() : () -> i64\n"acc.kernels"(%a) <{operandSegmentSizes = '
    "array<i32: 0, 1, 0, 0, 0, 0, 0, 0, 0, 0, 0>, waitOnly = [], waitOperandsDeviceType = "
    "[#acc.device_type<none>], waitOperandsSegments = array<i32: 1>}> ({ acc.terminator }) : "
    "(i64) -> ()",
    "transform.structured.vectorize": '%0 = "t.v"() : () -> !transform.any_op\n'
    '"transform.structured.vectorize"(%0, %0) : (!transform.any_op, !transform.any_op) -> ()',
    "omp.canonical_loop": 'func.func @f(%a: i32) { "omp.canonical_loop"(%a) ({}) : (i32) -> () '
    "return }",
}

# Of no use before this LLVM, which has no such operation, or an attribute of it elsewhere.
SINCE_22 = {
    "arm_sme.intr.read.vert": "the operation",
    "llvm.intr.vector.interleave2": "the operation",
    "omp.teams": "its groups of operands",
    "smt.exists": "the operation",
    "tensor.expand_shape": "the attribute",
    "transform.structured.vectorize": "its attributes",
    "wasmssa.global_get": "the operation",
    "xegpu.create_mem_desc": "the operation",
    "acc.kernels": "its groups of operands",
    "linalg.matmul": "indexing maps of one's own",
    "llvm.call": "attributes of arguments",
    "llvm.mlir.ifunc": "the operation",
    "omp.canonical_loop": "the operation",
    "omp.new_cli": "the operation",
    "omp.tile": "the operation",
    "transform.smt.constrain_params": "the operation",
    "xegpu.dpas": "operands of one dimension",
    "gpu.launch": "its groups of operands",
    "gpu.launch_func": "its groups of operands",
    "spirv.Switch": "the operation",
    "spirv.func's arguments": "its arguments' attributes",
}
VENDORS = ("arm_sme.", "nvgpu.", "nvvm.", "spirv.", "xegpu.")


def cases(table):
    for name, case in table.items():
        marks = []
        if name in SINCE_22:
            marks.append(pytest.mark.since_llvm(22, SINCE_22[name]))
        if name.startswith(VENDORS) or name == "gpu.binary":
            marks.append(pytest.mark.beyond_standard("a dialect of one vendor"))
        if name.startswith("wasmssa."):
            marks.append(pytest.mark.beyond_standard("the dialect wasmssa"))
        yield pytest.param(case, id=name, marks=marks)


@pytest.mark.beyond_core("dialects beyond arith, builtin and func")
@pytest.mark.parametrize("case", list(cases(BESIDE | PARTS)))
def test_an_operation_is_refused_that_a_verifier_would_dereference(case, said_of):
    text, message = case
    said = said_of(text)
    assert said.startswith("refused:") and message in said, said


@pytest.mark.beyond_core("dialects beyond arith, builtin and func")
@pytest.mark.parametrize("case", list(cases(PRINTED)))
def test_an_operation_that_its_printer_would_dereference_is_printed_generically(
    case, said_of, request
):
    said = said_of(case)
    name = request.node.callspec.id.partition("-")[0]
    assert not said.startswith("refused:") and f'"{name}"(' in said, said


@pytest.mark.since_llvm(22, "the operations")
@pytest.mark.beyond_core("the dialect transform")
@pytest.mark.beyond_standard("a dialect of one vendor")
def test_what_an_operation_may_lack_leaves_it_in_its_own_form(ir, ctx):
    """A list of sizes has a default, so that sound operations may be without it."""
    module = ir.Module.parse(
        "transform.sequence failures(propagate) {\n^bb0(%a: !transform.any_op):\n"
        "  %v = transform.get_result %a[0] : (!transform.any_op) -> !transform.any_value\n"
        "  %d = transform.xegpu.set_desc_layout %a sg_layout = [8, 4] sg_data = [32, 64]"
        " : (!transform.any_op) -> !transform.any_op\n"
        "  %p = transform.xegpu.insert_prefetch %v nb_prefetch = %a"
        " : (!transform.any_value, !transform.any_op) -> !transform.any_op\n}"
    )
    assert '"transform.' not in str(module)


@pytest.mark.since_llvm(22, "the operations")
@pytest.mark.beyond_core("the dialect omp")
@pytest.mark.parametrize(
    "inner",
    [
        "omp.canonical_loop(%b) %j : i32 in range(%c) { omp.terminator }",
        '"omp.canonical_loop"(%c, %b) ({}) : (i32, !omp.cli) -> ()',
    ],
    ids=["whole", "just created"],
)
def test_loops_that_are_transformed_are_read(ir, ctx, inner):
    module = ir.Module.parse(
        "func.func @f(%c: i32) {\n"
        + "".join(f"%{name} = omp.new_cli\n" for name in "abdefg")
        + "omp.canonical_loop(%a) %i : i32 in range(%c) {\n"
        f"{inner}\nomp.terminator\n}}\n"
        "omp.tile (%d, %e, %f, %g) <- (%a, %b) sizes(%c, %c : i32, i32)\n"
        "omp.unroll_heuristic(%d)\nreturn\n}"
    )
    assert module.operation.verify() and "omp.tile (%grid1, " in str(module)


@pytest.mark.beyond_core("the dialect irdl")
def test_a_dialect_of_irdl_in_nothing_has_no_symbols_beside_it(ir, ctx):
    module = ir.Module.parse("irdl.dialect @d { irdl.type @t { %0 = irdl.base @d::@t } }")
    assert module.operation.verify()
    alone = module.body.operations[0].operation.clone()
    with pytest.raises(ir.MLIRError, match="symbol '@d::@t' not found"):
        alone.operation.verify()


@pytest.mark.beyond_core("the dialect vector")
def test_verify_of_a_built_operation_asks_too(ir, ctx):
    """No parser has seen this one."""
    ctx.allow_unregistered_dialects = True
    module = ir.Module.parse(
        "func.func @f(%m: vector<4xi1>, %v: vector<4xf32>, %b: memref<4xf32>, %c: index) {\n"
        "  vector.mask %m { vector.transfer_write %v, %b[%c] {in_bounds = [true]} "
        ": vector<4xf32>, memref<4xf32> } : vector<4xi1>\n  return\n}"
    )
    mask = module.body.operations[0].regions[0].blocks[0].operations[0]
    assert mask.operation.name == "vector.mask" and module.operation.verify()
    write = mask.regions[0].blocks[0].operations[0]
    del write.attributes["permutation_map"]
    with pytest.raises(ir.MLIRError, match="requires attribute 'permutation_map'"):
        module.operation.verify()
