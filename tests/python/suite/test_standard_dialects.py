"""Dialects that the core bundle does not have: what their modules add by hand."""

import pytest


def test_loops(here, ir, func, arith, dialect, i32, text):
    scf = dialect("scf")

    @func.FuncOp.from_py_func(i32)
    def sums(start):
        for counter, carried, result in scf.for_(0, 10, iter_args=[start]):
            assert counter.type == ir.IndexType.get()
            scf.yield_([arith.addi(carried, carried)])
            total = result
        condition = arith.cmpi(arith.CmpIPredicate.eq, total, start)
        choice = scf.IfOp(condition, [i32], has_else=True)
        for block in (choice.then_block, choice.else_block):
            with ir.InsertionPoint(block):
                scf.YieldOp([start])
        lonely = scf.IfOp(condition)
        assert lonely.else_block is None
        with ir.InsertionPoint(lonely.then_block):
            scf.YieldOp([])
        return choice

    printed = text(here)
    assert "scf.for %arg1 = %c0 to %c10 step %c1 iter_args(%arg2 = %arg0) -> (i32)" in printed
    with pytest.raises(ValueError, match="must be int"):
        next(scf.for_(1.5))


def test_a_switch_and_a_parallel_loop(here, ir, func, arith, dialect, i32, text):
    scf, tensor = dialect("scf"), dialect("tensor")

    @func.FuncOp.from_py_func(ir.IndexType.get())
    def f(index):
        def case(op, number, value):
            assert value == [5, 7][number]
            scf.YieldOp([arith.constant(i32, value)])

        def default(op):
            scf.YieldOp([arith.constant(i32, 0)])

        switched = scf.index_switch([i32], index, [5, 7], case, default)
        empty = tensor.empty([4, index], i32)
        loop = scf.ForallOp([0], [index], [1], [empty])
        assert loop.rank == 1 and len(loop.inner_iter_args) == 1
        end = loop.terminator()
        assert loop.terminator() == end and len(end.block.operations) == 0
        return switched

    printed = text(here)
    assert "case 7 {" in printed and "tensor.empty(%arg0) : tensor<4x?xi32>" in printed


def test_parts_of_memrefs(here, ir, func, arith, dialect, text):
    memref = dialect("memref")
    whole = ir.MemRefType.get([10, 20], ir.F32Type.get())

    @func.FuncOp.from_py_func(whole, ir.IndexType.get())
    def f(source, index):
        two = arith.ConstantOp.create_index(2).result
        part = memref.subview(source, [1, two], [3, 4], [1, 2])
        assert str(part.type) == "memref<3x4xf32, strided<[20, 2], offset: 22>>"
        moved = memref.subview(source, [index, 0], [3, 20], [1, 1])
        assert str(moved.type) == "memref<3x20xf32, strided<[20, 1], offset: ?>>"
        with pytest.raises(ValueError, match="requires explicit result type"):
            memref.subview(source, [0, 0], [index, 4], [1, 1])

    assert text(here).count("memref.subview") == 2


def test_types_of_dialects(ctx, ir, dialect):
    pdl, transform = dialect("pdl"), dialect("transform")
    parsed = ir.Type.parse('!transform.op<"foo.bar">')
    assert type(parsed) is transform.OperationType and parsed.operation_name == "foo.bar"
    assert repr(parsed) == 'OperationType(!transform.op<"foo.bar">)'
    assert transform.OperationType.get("foo.bar") == parsed
    i64 = ir.IntegerType.get_signless(64)
    assert transform.ParamType.get(i64).type == i64
    values = pdl.RangeType.get(pdl.ValueType.get())
    assert str(values) == "!pdl.range<value>" and values.element_type == pdl.ValueType.get()
    assert isinstance(pdl.PDLType(values), pdl.PDLType)
    assert pdl.RangeType.type_name == "pdl.range"
    with pytest.raises(ValueError, match="Cannot cast type to TypeType"):
        pdl.TypeType(i64)
    assert isinstance(pdl.RangeType(values), pdl.RangeType)


def test_a_pattern_is_built(here, ir, dialect, text):
    pdl = dialect("pdl")

    @pdl.pattern(benefit=1, sym_name="p")
    def p():
        kind = pdl.TypeOp(ir.IntegerType.get_signless(64))
        operand = pdl.OperandOp(kind)
        found = pdl.OperationOp("arith.addi", [operand, operand], types=[kind])

        @pdl.rewrite()
        def r():
            made = pdl.OperationOp("arith.muli", [operand, operand], types=[kind])
            pdl.ReplaceOp(found, with_op=made)

    assert "replace %2 with %3" in text(here)
