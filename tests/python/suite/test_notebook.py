"""Modules, operations, types and attributes in a notebook: highlighted text, and graphs."""

import importlib
import itertools
import re
from html import unescape
from xml.etree import ElementTree

import pytest

SVG = "{http://www.w3.org/2000/svg}"
# In the generic form, as a bundle need not have `cf`.
SOURCE = """
func.func @branches(%flag: i1, %x: i32) -> i32 {
  %seven = arith.constant 7 : i32
  "t.either"(%flag)[^other, ^end] : (i1) -> ()
^other:
  %sum = arith.addi %seven, %x : i32
  "t.nest"() ({
    %one = arith.addi %sum, %x : i32
  }) : () -> ()
  "t.go"()[^end] : () -> ()
^end:
  return %x : i32
}
"""


@pytest.fixture(scope="module")
def notebook(root):
    return importlib.import_module(f"{root}.notebook")


@pytest.fixture
def module(ir):
    with ir.Context() as context:
        context.allow_unregistered_dialects = True
        yield ir.Module.parse(SOURCE)


def plain(html):
    """The text that a browser shows."""
    return unescape(re.sub(r"<style>.*?</style>|<[^>]*>", "", html))


def test_the_text_is_all_there_with_colours(module):
    shown = module._repr_html_()
    assert plain(shown) == str(module).rstrip()
    for kind, text in [("name", "func.func"), ("symbol", "@branches"), ("block", "^bb1")]:
        assert f'<span class="{kind}">{text}</span>' in shown
    assert '<span class="type">i32</span>' in shown and '<span class="number">7</span>' in shown


def test_everything_with_a_text_is_shown(ir, module):
    function = module.body.operations[0]
    block = function.regions[0].blocks[0]
    parts = [function, function.operation, block, block.arguments[0], block.arguments[0].type]
    parts += [function.attributes["sym_name"], ir.AffineMap.get_identity(2), function.location]
    for part in parts:
        assert plain(part._repr_html_()).split() == str(part).split()


def test_shapes_and_strings_are_tokens(ir, notebook):
    with ir.Context():
        shown = notebook.html(ir.Type.parse("tensor<4x?x8xf32>"))
        assert '<span class="shape">4x?x8x</span><span class="type">f32</span>' in shown
        # The text of an attribute is no HTML.
        shown = notebook.html(ir.Attribute.parse('"<script>alert(1)</script> // no comment"'))
        assert "<script>" not in shown and 'class="comment"' not in shown
        assert plain(shown) == '"<script>alert(1)</script> // no comment"'


def test_long_texts_and_large_constants_are_cut(ir, notebook):
    with ir.Context() as context:
        context.allow_unregistered_dialects = True
        many = ir.Module.parse('"t.op"() : () -> ()\n' * 3000)
        assert "lines more" in notebook.html(many)
        ones = ", ".join(map(str, range(1000)))
        large = ir.Module.parse(f'"t.op"() {{a = dense<[{ones}]> : tensor<1000xi32>}} : () -> ()')
        assert len(notebook.html(large)) < 3000


def test_a_graph_has_a_box_for_each_operation_and_a_line_for_each_use(module, notebook):
    graph = notebook.graph(module)
    assert "builtin.module: 9 operations" in repr(graph)
    drawing = ElementTree.fromstring(graph._repr_svg_())
    texts = [text.text for text in drawing.iter(f"{SVG}text")]
    for name in ("t.either", "t.nest", "t.go", "func.return"):
        assert name in texts
    assert sum("arith.addi" in text for text in texts) == 2
    assert "func.func @branches" in texts and "7 : i32" in texts
    lines = list(drawing.iter(f"{SVG}path"))
    values = [line for line in lines if line.find(f"{SVG}title") is not None]
    # flag, seven, x, sum, x, x; and three branches.
    assert len(values) == 6 and len(lines) == 9


def test_the_text_keeps_its_columns_in_any_page(module):
    # The pages of nbconvert set another font for every `pre`; a rule of the element itself wins.
    style = re.search(r'<pre [^>]*style="([^"]*)"', module._repr_html_())[1]
    assert {"font-family:monospace", "white-space:pre"} <= set(style.split(";"))


def numbers(shape, *names):
    return [float(shape.get(name)) for name in names]


def test_no_line_crosses_a_box(ir, notebook, module):
    """A line is in a box only if one of its ends is, and in no box with a name."""
    nested = """
    func.func @nested(%a: i32, %b: i32) -> i32 {
      %0 = arith.addi %a, %b : i32
      %1 = arith.addi %0, %0 : i32
      "t.wide"(%1) : (i32) -> ()
      "t.outer"() ({
        %2 = arith.addi %0, %1 : i32
        "t.inner"() ({
          %3 = arith.addi %a, %2 : i32
          %4 = arith.addi %3, %0 : i32
        }) : () -> ()
        %5 = arith.addi %2, %b : i32
      }) : () -> ()
      %6 = arith.addi %a, %1 : i32
      return %6 : i32
    }
    """
    with module.context:
        modules = [module, ir.Module.parse(nested)]
    for drawn in modules:
        drawing = ElementTree.fromstring(notebook.graph(drawn).svg)
        boxes = [it for it in drawing.iter(f"{SVG}rect") if it.get("x")]
        for line in drawing.iter(f"{SVG}path"):
            found = [float(it) for it in re.findall(r"-?\d+", line.get("d"))]
            points = list(zip(found[::2], found[1::2], strict=True))
            for box in boxes:
                x, y, width, height = numbers(box, "x", "y", "width", "height")

                def is_in(point, x=x, y=y, width=width, height=height):
                    return x < point[0] < x + width and y < point[1] < y + height

                if is_in(points[0]) or is_in(points[-1]):
                    continue
                for (ax, ay), (bx, by) in itertools.pairwise(points):
                    assert ax == bx or ay == by
                    apart = max(ax, bx) <= x or min(ax, bx) >= x + width
                    apart = apart or max(ay, by) <= y or min(ay, by) >= y + height
                    assert apart, (line.get("d"), box.attrib)


def test_users_are_below_what_they_use(module, notebook):
    drawing = ElementTree.fromstring(notebook.graph(module).svg)
    for line in drawing.iter(f"{SVG}path"):
        if line.find(f"{SVG}title") is not None:
            numbers = [float(it) for it in re.findall(r"-?\d+", line.get("d"))]
            assert numbers[1] <= numbers[-1]


def test_effects_stay_in_order(ir, notebook):
    with ir.Context() as context:
        context.allow_unregistered_dialects = True
        source = (
            '"t.a"() : () -> ()\n%x = "t.b"() : () -> i32\n"t.c"() : () -> ()\n"t.d"() : () -> ()'
        )
        drawing = ElementTree.fromstring(notebook.graph(ir.Module.parse(source)).svg)
    heights = {it.text.split(" = ")[-1]: float(it.get("y")) for it in drawing.iter(f"{SVG}text")}
    assert heights["t.a"] < heights["t.b"] == heights["t.c"] < heights["t.d"]


def test_boxes_are_inside_of_the_drawing(module, notebook):
    drawing = ElementTree.fromstring(notebook.graph(module).svg)
    width, height = float(drawing.get("width")), float(drawing.get("height"))
    boxes = [it for it in drawing.iter(f"{SVG}rect") if it.get("x")]
    assert len(boxes) > 9
    for box in boxes:
        assert float(box.get("x")) + float(box.get("width")) <= width
        assert float(box.get("y")) + float(box.get("height")) <= height


def test_a_graph_that_nobody_could_read_is_refused(module, notebook):
    with pytest.raises(ValueError, match="more than 3 operations.*builtin.module"):
        notebook.graph(module, limit=3)


def test_a_graph_can_be_saved(module, notebook, tmp_path):
    graph = notebook.graph(module.body.operations[0])
    graph.save(tmp_path / "f.svg")
    assert (tmp_path / "f.svg").read_text() == graph.svg


def test_it_is_imported_when_it_is_used(root, python):
    script = f"import sys; from {root} import ir; print('{root}.notebook' in sys.modules)"
    assert python(script).stdout == "False\n"
