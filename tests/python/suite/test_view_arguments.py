"""The arguments of ``OpView.__init__``: the usual order of their names is looked at first, and each
other one means the same."""

import pytest


@pytest.fixture
def view(ir, ctx):
    """A class of views of an operation that is not registered."""
    ctx.allow_unregistered_dialects = True

    class View(ir.OpView):
        OPERATION_NAME = "t.op"

        def __init__(self, *args, **named):
            super().__init__(*args, **named)

    return View


def given(ir):
    """All arguments, in the order of the parameters."""
    return {
        "name": "t.op",
        "opRegionSpec": (1, True),
        "operandSegmentSpecObj": None,
        "resultSegmentSpecObj": None,
        "results": [ir.IntegerType.get_signless(32)],
        "operands": [],
        "attributes": {"a": ir.UnitAttr.get()},
        "successors": [],
        "regions": 1,
        "loc": ir.Location.file("view.py", 1, 2),
        "ip": False,
    }


def test_names_in_any_order(ir, view):
    arguments = list(given(ir).items())
    orders = [arguments[at:] + arguments[:at] for at in range(len(arguments))]
    # The order of the generated constructors, and it with two of its neighbours exchanged.
    usual = [arguments[at] for at in (6, 4, 5, 7, 8, 9, 10, 0, 1, 2, 3)]
    orders += [usual] + [
        usual[:at] + [usual[at + 1], usual[at]] + usual[at + 2 :] for at in range(len(usual) - 1)
    ]
    orders += [order[::-1] for order in orders]
    for order in orders:
        for made in (
            view(**dict(order)),
            # These names are other objects than those that the extension has.
            view(**{"".join(list(name)): value for name, value in order}),
        ):
            assert made.operation.name == "t.op"
            assert [str(result.type) for result in made.operation.results] == ["i32"]
            assert "a" in made.operation.attributes
            assert len(made.operation.regions) == 1
            assert "view.py" in str(made.operation.location)


def test_arguments_by_position(ir, view):
    arguments = given(ir)
    for count in range(len(arguments) + 1):
        values, rest = list(arguments.values())[:count], list(arguments.items())[count:]
        made = view(*values, **dict(rest))
        assert (len(made.operation.regions), len(made.operation.results)) == (1, 1)


def test_names_that_are_refused(ir, view):
    arguments = given(ir)
    del arguments["name"]
    with pytest.raises(TypeError, match="got multiple values for argument 'opRegionSpec'"):
        view("t.op", (1, True), **arguments)
    with pytest.raises(TypeError, match="got an unexpected keyword argument 'result'"):
        view("t.op", result=[])
    with pytest.raises(TypeError, match="is missing its argument 'opRegionSpec'"):
        view(name="t.op", ip=False)
