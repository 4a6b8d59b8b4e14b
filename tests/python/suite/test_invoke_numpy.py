"""NumPy arrays in and out of compiled functions, in one call."""

import gc
import importlib
import os
import weakref

import pytest

LOWER = (
    "builtin.module(convert-linalg-to-loops,convert-scf-to-cf,expand-strided-metadata,lower-affine,"
    "finalize-memref-to-llvm,convert-complex-to-llvm,convert-func-to-llvm,convert-arith-to-llvm,"
    "convert-cf-to-llvm,reconcile-unrealized-casts)"
)

COPY = """
func.func @copy(%from: {of}, %to: {of}) attributes {{ llvm.emit_c_interface }} {{
  linalg.copy ins(%from: {of}) outs(%to: {of})
  return
}}
"""

ADD = """
func.func @add(%a: memref<?xf32>, %b: memref<?xf32>, %by: f32) attributes { llvm.emit_c_interface }
    {
  linalg.generic {indexing_maps = [affine_map<(d0) -> (d0)>, affine_map<(d0) -> (d0)>],
                  iterator_types = ["parallel"]} ins(%a: memref<?xf32>) outs(%b: memref<?xf32>) {
    ^bb0(%x: f32, %y: f32):
      %scaled = arith.mulf %x, %by : f32
      %sum = arith.addf %scaled, %y : f32
      linalg.yield %sum : f32
  }
  return
}
"""
ADD_TYPE = "(memref<?xf32>, memref<?xf32>, f32) -> ()"

SHAPES = """
func.func @shapes(%a: memref<?xi32>, %i: index, %b: memref<i32>, %c: memref<?x?xi32>)
    attributes { llvm.emit_c_interface } {
  return
}
"""

if os.environ.get("MONDO_BUNDLE") not in {"core", "standard"}:
    np = pytest.importorskip("numpy")
    ml_dtypes = pytest.importorskip("ml_dtypes")

    @pytest.fixture
    def compiled(ctx, ir, passmanager, root):
        engine = importlib.import_module(f"{root}.execution_engine").ExecutionEngine

        def compiled(text):
            module = ir.Module.parse(text)
            passmanager.PassManager.parse(LOWER).run(module.operation)
            return engine(module)

        return compiled

    # MLIR's names of element types, and NumPy's.
    ELEMENTS = {
        "i1": "bool",
        "i8": "int8",
        "i16": "uint16",
        "i32": "int32",
        "i64": "uint64",
        "index": "int64",
        "f16": "float16",
        "f32": "float32",
        "f64": "float64",
        "complex<f32>": "complex64",
        "complex<f64>": "complex128",
        "bf16": "bfloat16",
        "f8E3M4": "float8_e3m4",
        "f8E4M3": "float8_e4m3",
        "f8E4M3B11FNUZ": "float8_e4m3b11fnuz",
        "f8E4M3FN": "float8_e4m3fn",
        "f8E4M3FNUZ": "float8_e4m3fnuz",
        "f8E5M2": "float8_e5m2",
        "f8E5M2FNUZ": "float8_e5m2fnuz",
        "f8E8M0FNU": "float8_e8m0fnu",
    }

    # The element types that LLVM 19 has not.
    NEW = {"f8E3M4", "f8E8M0FNU"}
    SINCE_22 = pytest.mark.since_llvm(22, "LLVM 19 has no such formats")

    def numbers(shape, name="float32"):
        dtype = getattr(ml_dtypes, name, None) or np.dtype(name)
        count = int(np.prod(shape, dtype=int))
        return (np.arange(count) % 7).astype(np.float64).reshape(shape).astype(dtype)

    @pytest.mark.parametrize(
        "element",
        [pytest.param(name, marks=SINCE_22) if name in NEW else name for name in ELEMENTS],
    )
    def test_elements_of_each_type(compiled, element):
        engine = compiled(COPY.format(of=f"memref<?x{element}>"))
        given = numbers((11,), ELEMENTS[element])
        taken = np.zeros_like(given)
        of = f"memref<?x{element}>"
        engine.invoke_numpy("copy", given, taken, type=f"({of}, {of}) -> ()")
        assert taken.tobytes() == given.tobytes()

    @pytest.mark.parametrize("element", ["float32", "float64", "float16"])
    def test_arrays_need_the_functions_type(compiled, element):
        """Code for other elements than an array's reads wrong numbers, or beyond its end."""
        engine = compiled(COPY.format(of="memref<?xf32>"))
        given, taken = numbers((11,), element), np.zeros(11, element)
        said = rf"argument 1 of @copy: given an array of rank 1 and {element}, and .*give the MLIR"
        with pytest.raises(TypeError, match=said):
            engine.invoke_numpy("copy", given, taken)
        assert not taken.any()

    @pytest.mark.parametrize(
        "shape", [(), (3,), (2, 3), (2, 1, 3), (2, 0, 3), (2, 3, 1, 2, 2)], ids=str
    )
    @pytest.mark.parametrize("static", [False, True])
    def test_each_rank(compiled, shape, static):
        sizes = "".join(f"{size}x" if static else "?x" for size in shape)
        of = f"memref<{sizes}f32>"
        engine = compiled(COPY.format(of=of))
        given = numbers(shape)
        taken = np.zeros(shape, np.float32)
        engine.invoke_numpy("copy", given, taken, type=f"({of}, {of}) -> ()")
        assert (taken == given).all()

    @pytest.mark.parametrize(
        "pick",
        [
            lambda it: it,
            lambda it: it.T,
            lambda it: it[::2, 1::3],
            lambda it: it[::-1, ::-1],
            lambda it: it[3:4],
            lambda it: it[:, :0],
        ],
        ids=["contiguous", "transposed", "steps", "reversed", "row", "empty"],
    )
    def test_any_strides(compiled, pick):
        of = "memref<?x?xf32, strided<[?, ?], offset: ?>>"
        engine = compiled(COPY.format(of=of))
        given, taken = numbers((8, 9)), np.zeros((8, 9), np.float32)
        engine.invoke_numpy("copy", pick(given), pick(taken), type=f"({of}, {of}) -> ()")
        expected = np.zeros((8, 9), np.float32)
        pick(expected)[...] = pick(given)
        assert (taken == expected).all()

    def test_a_layout_that_the_code_does_not_look_at(compiled):
        """The strides of a memref without a layout follow from its sizes."""
        engine = compiled(COPY.format(of="memref<?x?xf32>"))
        target = np.zeros((3, 4), np.float32)
        type = "(memref<?x?xf32>, memref<?x?xf32>) -> ()"
        with pytest.raises(
            ValueError, match=r"argument 1 of @copy: given strides \(1, 3\), expected"
        ):
            engine.invoke_numpy("copy", numbers((4, 3)).T, target, type=type)
        engine.invoke_numpy("copy", numbers((1, 4)).T, np.zeros((4, 1), np.float32), type=type)

    def test_a_static_offset(compiled):
        of = "memref<4xf32, strided<[2], offset: 5>>"
        engine = compiled(COPY.format(of=of))
        given, taken = numbers((16,)), np.zeros(16, np.float32)
        engine.invoke_numpy("copy", given[5:12:2], taken[5:12:2], type=f"({of}, {of}) -> ()")
        assert taken.nonzero()[0].tolist() == [5, 9, 11]
        assert (taken[5:12:2] == given[5:12:2]).all()

    def test_scalars_and_results(compiled, ir):
        engine = compiled(
            """
            func.func @mixed(%a: i8, %b: f64, %c: bf16, %d: i1, %e: complex<f32>, %f: i64)
                -> (i8, f64, bf16, i1, complex<f32>, i64) attributes { llvm.emit_c_interface } {
              return %a, %b, %c, %d, %e, %f : i8, f64, bf16, i1, complex<f32>, i64
            }
            func.func @one(%a: f16) -> f16 attributes { llvm.emit_c_interface } {
              return %a : f16
            }
            func.func @pair(%a: complex<f64>) -> complex<f64> attributes { llvm.emit_c_interface } {
              return %a : complex<f64>
            }
            """
        )
        types = "(i8, f64, bf16, i1, complex<f32>, i64)"
        given = (-7, 2.5, ml_dtypes.bfloat16(1.5), True, 1 - 2j, 2**63 + 1)
        found = engine.invoke_numpy("mixed", *given, type=f"{types} -> {types}")
        assert found == (-7, 2.5, 1.5, True, 1 - 2j, 1 - 2**63)
        assert [it.dtype.name for it in found] == [
            "int8", "float64", "bfloat16", "bool", "complex64", "int64",
        ]  # fmt: skip
        assert engine.invoke_numpy("one", 0.5, type="(f16) -> f16") == np.float16(0.5)
        type = ir.FunctionType.parse("(complex<f64>) -> complex<f64>")
        assert engine.invoke_numpy("pair", 3 + 1j, type=type) == 3 + 1j

    def test_memrefs_as_results(compiled, ctx, ir):
        text = """
        memref.global "private" @table : memref<4x3xi32> = dense<[[0, 1, 2], [3, 4, 5], [6, 7, 8],
            [9, 10, 11]]>
        func.func @part() -> (memref<2x2xi32, strided<[3, 1], offset: 4>>, i32)
            attributes { llvm.emit_c_interface } {
          %table = memref.get_global @table : memref<4x3xi32>
          %part = memref.subview %table[1, 1] [2, 2] [1, 1]
              : memref<4x3xi32> to memref<2x2xi32, strided<[3, 1], offset: 4>>
          %it = arith.constant 9 : i32
          return %part, %it : memref<2x2xi32, strided<[3, 1], offset: 4>>, i32
        }
        func.func @same(%it: memref<?xf32, strided<[?], offset: ?>>) -> memref<?xf32, strided<[?],
            offset: ?>>
            attributes { llvm.emit_c_interface } {
          return %it : memref<?xf32, strided<[?], offset: ?>>
        }
        """
        part = ir.Module.parse(text).body.operations[1]
        engine = compiled(text)
        found, number = engine.invoke_numpy("part", type=part)
        assert found.tolist() == [[4, 5], [7, 8]]
        assert found.dtype == np.int32
        assert number == 9
        given = numbers((9,))
        of = "memref<?xf32, strided<[?], offset: ?>>"
        back = engine.invoke_numpy("same", given[::-2], type=f"({of}) -> {of}")
        assert back.tolist() == given[::-2].tolist()
        # A copy, as nobody knows whose memory it is.
        back[...] = -1
        assert (given >= 0).all()
        empty = engine.invoke_numpy("same", given[:0], type=f"({of}) -> {of}")
        assert empty.shape == (0,)

    def test_unranked_memrefs(compiled):
        engine = compiled(
            """
            func.func @rank(%it: memref<*xf32>) -> index attributes { llvm.emit_c_interface } {
              %rank = memref.rank %it : memref<*xf32>
              return %rank : index
            }
            """
        )
        for shape in [(), (2,), (2, 3, 4)]:
            rank = engine.invoke_numpy("rank", numbers(shape), type="(memref<*xf32>) -> index")
            assert rank == len(shape)

    def test_arrays_live_for_the_call_and_no_longer(compiled):
        engine = compiled(ADD)
        target = np.ones(5, np.float32)
        engine.invoke_numpy("add", np.full(5, 3, np.float32), target, 2, type=ADD_TYPE)
        assert target.tolist() == [7] * 5
        kept = weakref.ref(target)
        del target
        gc.collect()
        assert kept() is None

    def test_pythons_numbers_are_what_the_function_takes(compiled):
        engine = compiled(ADD)
        a, b = numbers((4,)), np.zeros(4, np.float32)
        for by in (2, 2.0, np.float32(2)):
            engine.invoke_numpy("add", a, b, by, type=ADD_TYPE)
        assert b.tolist() == [0, 6, 12, 18]

    def test_scalars_need_no_type(compiled):
        engine = compiled(
            """
            memref.global "private" @kept : memref<f32> = dense<0.0>
            func.func @keep(%by: f32) attributes { llvm.emit_c_interface } {
              %kept = memref.get_global @kept : memref<f32>
              memref.store %by, %kept[] : memref<f32>
              return
            }
            func.func @get() -> f32 attributes { llvm.emit_c_interface } {
              %kept = memref.get_global @kept : memref<f32>
              %it = memref.load %kept[] : memref<f32>
              return %it : f32
            }
            """
        )
        for by in (2, 2.5, np.float32(3)):
            engine.invoke_numpy("keep", by)
            assert engine.invoke_numpy("get", type="() -> f32") == by

    FLOATS = [numbers((4,)), numbers((4,)), 2.0]

    @pytest.mark.parametrize(
        ("place", "argument", "said"),
        [
            (
                1,
                numbers((4,), "float64"),
                "given elements of type float64, expected float32 for memref<",
            ),
            (
                1,
                numbers((4,), "float8_e5m2"),
                "given elements of type float8_e5m2, expected float32",
            ),
            (2, numbers((2, 2)), "given rank 2, expected rank 1 for memref<?xf32>"),
            (2, numbers(()), "given rank 0, expected rank 1 for memref<?xf32>"),
            (1, [1.0, 2.0], "given list [1.0, 2.0], expected a NumPy array for memref<?xf32>"),
            (1, 3.0, "given float 3.0, expected a NumPy array for memref<?xf32>"),
            (
                1,
                numbers((8,))[::2],
                "given strides (2,), expected those of memref<?xf32>; pass a copy",
            ),
            (1, numbers((4,)).astype(">f4"), "given elements of type >f4, expected float32"),
            (3, np.float64(2), "given float64, expected float32 for f32"),
            (3, numbers((4,)), "expected a scalar, float32"),
            (3, "two", "'two' is not a float32"),
        ],
    )
    def test_what_does_not_fit_the_type(compiled, place, argument, said):
        arguments = [*FLOATS]
        arguments[place - 1] = argument
        with pytest.raises((TypeError, ValueError)) as caught:
            compiled(ADD).invoke_numpy("add", *arguments, type=ADD_TYPE)
        assert f"argument {place} of @add: " in str(caught.value)
        assert said in str(caught.value)

    @pytest.mark.parametrize(
        ("arguments", "said"),
        [
            (
                [numbers((4, 1), "int32"), 3, numbers((), "int32"), numbers((2, 2), "int32")],
                "argument 1 of @shapes: given an array of rank 2 and int32, expected a memref of "
                "rank 1;",
            ),
            (
                [numbers((4,), "int32"), 3, numbers((1,), "int32"), numbers((2, 2), "int32")],
                "argument 3 of @shapes: given an array of rank 1 and int32, expected a memref of "
                "rank 0;",
            ),
            (
                [numbers((4,), "int32"), 3, numbers((), "int32"), numbers((2,), "int32")],
                "argument 4 of @shapes: given an array of rank 1 and int32, expected a memref of "
                "rank 2;",
            ),
            (
                [
                    numbers((4,), "int32"),
                    np.float32(3),
                    numbers((), "int32"),
                    numbers((2, 2), "int32"),
                ],
                "argument 2 of @shapes: given float32",
            ),
            (
                [numbers((4,), "int32"), 3, numbers((), "int32")],
                "@shapes: given 3 arguments, expected a further one, a memref of rank 2;",
            ),
            (
                [numbers((4,), "int32"), 3, numbers((), "int32"), numbers((2, 2), "int32"), 4],
                "argument 5 of @shapes: given int 4, expected no further argument",
            ),
            (["x", 3, numbers(()), numbers((2, 2))], "expected a NumPy array or a number"),
        ],
    )
    def test_what_does_not_fit_the_compiled_function(compiled, arguments, said):
        """Without a type, what would be passed is compared with what the function takes."""
        with pytest.raises(TypeError) as caught:
            compiled(SHAPES).invoke_numpy("shapes", *arguments)
        assert said in str(caught.value)

    def test_arrays_that_cannot_be_passed(compiled):
        engine = compiled(COPY.format(of="memref<?xi32>"))
        target = np.zeros(4, np.int32)
        fixed = np.zeros(4, np.int32)
        fixed.flags.writeable = False
        with pytest.raises(ValueError, match="argument 1 of @copy: the array is read-only"):
            engine.invoke_numpy("copy", fixed, target)
        odd = np.zeros(4, [("a", "i4"), ("b", "i2")])["a"]
        with pytest.raises(ValueError, match=r"strides \(6,\) \(bytes\) are not multiples"):
            engine.invoke_numpy("copy", odd, target)
        with pytest.raises(TypeError, match="not in this machine's order"):
            engine.invoke_numpy("copy", target.astype(">i4"), target)
        with pytest.raises(TypeError, match="no element type of MLIR's is an array's object"):
            engine.invoke_numpy("copy", target.astype(object), target)
        with pytest.raises(TypeError, match="no element type of MLIR's"):
            engine.invoke_numpy("copy", np.zeros(4, "datetime64[s]"), target)

    def test_numbers_out_of_range(compiled):
        engine = compiled("func.func @f(%a: i8) attributes { llvm.emit_c_interface } { return }")
        for fits in (-128, 255):
            engine.invoke_numpy("f", fits, type="(i8) -> ()")
        for number in (256, -129, 1.5):
            with pytest.raises(TypeError, match="argument 1 of @f: .* is not a u?int8"):
                engine.invoke_numpy("f", number, type="(i8) -> ()")

    def test_a_type_that_is_not_the_functions(compiled):
        engine = compiled(ADD)
        with pytest.raises(TypeError, match="given 3 arguments, expected 1 for"):
            engine.invoke_numpy("add", *FLOATS, type="(f32) -> ()")
        with pytest.raises(TypeError, match="argument 3 of @add: given .*, expected a scalar, f32"):
            engine.invoke_numpy("add", *FLOATS, type="(memref<?xf32>, memref<?xf32>, f64) -> ()")
        with pytest.raises(
            TypeError, match="@add: given type .* -> f32, .*the compiled function has void"
        ):
            engine.invoke_numpy("add", *FLOATS, type="(memref<?xf32>, memref<?xf32>, f32) -> f32")
        with pytest.raises(TypeError, match="expected a function type for @add"):
            engine.invoke_numpy("add", *FLOATS, type="f32")

    def test_a_result_needs_the_type(compiled):
        engine = compiled(
            "func.func @f() -> f32 attributes { llvm.emit_c_interface } "
            "{ %0 = arith.constant 1.0 : f32\n return %0 : f32 }"
        )
        with pytest.raises(TypeError, match=r"@f has a result \(f32\): give its MLIR type"):
            engine.invoke_numpy("f")
        with pytest.raises(
            TypeError, match=r"@f: given type .* -> \(\).*the compiled function has .*f32"
        ):
            engine.invoke_numpy("f", type="() -> ()")
        with pytest.raises(
            TypeError, match=r"@f: given type .*f64.*the compiled function has .*f32"
        ):
            engine.invoke_numpy("f", type="() -> f64")
        assert engine.invoke_numpy("f", type="() -> f32") == 1

    def test_an_unknown_function(compiled):
        with pytest.raises(RuntimeError, match="Unknown function no"):
            compiled(ADD).invoke_numpy("no")
