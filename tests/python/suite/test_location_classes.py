"""The classes for kinds of locations, which upstream's package has since LLVM 23."""

import gc

import pytest


@pytest.fixture
def kinds(ir, ctx):
    """A location of each class."""
    place = ir.FileLineColLoc.get("f.c", 3, 4)
    return {
        ir.UnknownLoc: ir.UnknownLoc.get(),
        ir.FileLineColLoc: place,
        ir.NameLoc: ir.NameLoc.get("n", place),
        ir.CallSiteLoc: ir.CallSiteLoc.get(place, [ir.UnknownLoc.get()]),
        ir.FusedLoc: ir.FusedLoc.get([place, ir.NameLoc.get("m")]),
    }


def test_each_kind_has_its_class(ir, kinds):
    for wanted, location in kinds.items():
        assert type(location) is wanted
        assert isinstance(location, ir.Location)
        assert str(location).startswith("loc(")


def test_the_older_names_return_the_classes(ir, kinds):
    place = kinds[ir.FileLineColLoc]
    assert type(ir.Location.unknown()) is ir.UnknownLoc
    assert type(ir.Location.file("f.c", 3, 4)) is ir.FileLineColLoc
    assert type(ir.Location.name("n")) is ir.NameLoc
    assert type(ir.Location.callsite(place, [place])) is ir.CallSiteLoc
    assert type(ir.Location.fused([place, ir.Location.name("n")])) is ir.FusedLoc
    # MLIR has no location that fuses one, and leaves out those that say nothing.
    assert type(ir.Location.fused([place, ir.Location.unknown()])) is ir.FileLineColLoc
    assert type(ir.Location.fused([])) is ir.UnknownLoc


def test_a_location_that_is_found_has_its_class(ir, kinds):
    for wanted, location in kinds.items():
        assert type(ir.Location.from_attr(location.attr)) is wanted
        assert type(ir.Location._CAPICreate(location._CAPIPtr)) is wanted
        module = ir.Module.create(location)
        assert type(module.operation.location) is wanted
    name, call, fused = (kinds[kind] for kind in (ir.NameLoc, ir.CallSiteLoc, ir.FusedLoc))
    assert type(name.child_loc) is ir.FileLineColLoc
    assert type(ir.NameLoc.get("n").child_loc) is ir.UnknownLoc
    assert type(call.callee) is ir.FileLineColLoc and type(call.caller) is ir.UnknownLoc
    assert [type(part) for part in fused.locations] == [ir.FileLineColLoc, ir.NameLoc]


def test_a_diagnostic_has_a_location_of_its_class(ir, ctx):
    found = []
    with ctx.attach_diagnostic_handler(lambda what: found.append(what.location) or True):
        ir.FileLineColLoc.get("f.c", 3, 4).emit_error("no")
    assert type(found[0]) is ir.FileLineColLoc
    assert (found[0].filename, found[0].start_line) == ("f.c", 3)


def test_a_range(ir, ctx):
    place = ir.FileLineColLoc.get("f.c", 3, 4, 5, 6)
    assert (place.start_line, place.start_col, place.end_line, place.end_col) == (3, 4, 5, 6)
    with pytest.raises(TypeError):
        ir.FileLineColLoc.get("f.c", 3)


def test_metadata(ir, ctx, kinds):
    metadata = ir.Attribute.parse('"why"')
    fused = ir.FusedLoc.get([ir.NameLoc.get("n")], metadata)
    assert fused.metadata == metadata and type(fused.metadata) is ir.StringAttr
    assert kinds[ir.FusedLoc].metadata is None
    assert kinds[ir.NameLoc].metadata is None


def test_fused_refuses_what_is_another_kind(ir, ctx):
    with pytest.raises(ValueError, match="FusedLoc.get would collapse to loc"):
        ir.FusedLoc.get([ir.NameLoc.get("n")])


def test_a_cast(ir, kinds):
    for kind, location in kinds.items():
        assert type(kind(location)) is kind and kind(location) == location
        assert kind(cast_from_loc=location) == location
        for other, wrong in kinds.items():
            if other is not kind:
                with pytest.raises(ValueError, match=f"Cannot cast location to {kind.__name__} "):
                    kind(wrong)
        for arguments in ((), (location, location), (1,)):
            with pytest.raises(TypeError):
                kind(*arguments)
        with pytest.raises(TypeError):
            kind(location=location)


def test_no_class_is_derived_from_one(ir):
    with pytest.raises(TypeError, match="not an acceptable base type"):
        type("Mine", (ir.NameLoc,), {})


def test_each_class_has_a_type_id_of_its_own(ir, kinds):
    ids = [kind.static_typeid for kind in kinds]
    assert len(set(ids)) == len(kinds)
    for kind, location in kinds.items():
        assert location.typeid == kind.static_typeid == type(location).static_typeid


@pytest.mark.since_llvm(23, "upstream's older packages print a location alone")
def test_the_representation_names_the_class(ir, kinds):
    for kind, location in kinds.items():
        assert repr(location) == f"{kind.__name__}({location})"


def test_locations_keep_their_context_and_their_memory_is_used_again(ir):
    for _ in range(100):
        with ir.Context() as ctx:
            places = [ir.NameLoc.get(str(n), ir.FileLineColLoc.get("f", n, n)) for n in range(40)]
        del ctx
        gc.collect()
        assert [int(place.name_str) for place in places] == list(range(40))
        assert all(type(place.child_loc) is ir.FileLineColLoc for place in places)


def test_a_location_keeps_its_class(ir, kinds):
    place = kinds[ir.FileLineColLoc]
    for other in (ir.NameLoc, ir.Location):
        with pytest.raises(TypeError, match="__class__ assignment"):
            place.__class__ = other
    assert type(place) is ir.FileLineColLoc
