"""Small behaviours of classes of ``ir`` that programs rely on."""

import pytest


def test_reversed_attributes(ir, ctx):
    unit = ir.UnitAttr.get()
    op = ir.Operation.create("t.op", attributes={"a": unit, "b": ir.StringAttr.get("x")})
    assert [(it.name, str(it.attr)) for it in reversed(op.attributes)] == [
        ("b", '"x"'),
        ("a", "unit"),
    ]


def test_exit_out_of_order(ir):
    a, b = ir.Context(), ir.Context()
    a.__enter__()
    b.__enter__()
    a.__exit__(None, None, None)
    assert ir.Context.current is a
    b.__exit__(None, None, None)
    assert ir.Context.current is None
    with pytest.raises(RuntimeError, match="Unbalanced Context enter/exit"):
        a.__exit__(None, None, None)


def test_exit_of_locations_out_of_order(ir):
    with ir.Context():
        a, b = ir.Location.name("a"), ir.Location.name("b")
        a.__enter__()
        b.__enter__()
        a.__exit__(None, None, None)
        b.__exit__(None, None, None)
        assert ir.Location.current is None


def test_index_of_a_wrong_kind(ir, ctx):
    op = ir.Operation.create("t.op", results=[ir.F32Type.get()])
    for elements in [op.operands, op.results, op.regions, op.successors]:
        with pytest.raises(ValueError, match="expected integer or slice"):
            elements["x"]
        with pytest.raises(ValueError, match="expected integer or slice"):
            elements[None]


def test_dictionary_of_a_wrong_kind(ir, ctx):
    with pytest.raises(RuntimeError, match="bad_cast"):
        ir.DictAttr.get({"a": "b"})
    with pytest.raises(RuntimeError, match="bad_cast"):
        ir.DictAttr.get({1: ir.UnitAttr.get()})
