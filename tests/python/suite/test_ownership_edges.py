"""Unusual uses of wrappers: attributes on wrappers, successors without a block, classes changed.

Each program runs in a process of its own, whose allocator writes over what is freed, so that a
pointer to it is seen.
"""

import os
import subprocess
import sys
import textwrap

import pytest

BEGIN = """
import gc, sys, weakref
from {root} import ir

FUNCTION = "func.func @f(%x: i32) -> i32 {{ %y = arith.addi %x, %x : i32 return %y : i32 }}"
BRANCH = '''"t.f"() ({{
  ^a: "t.br"()[^b] : () -> ()
  ^b: "t.ret"() : () -> ()
}}) : () -> ()'''


def parse(text):
    context = ir.Context()
    context.allow_unregistered_dialects = True
    return ir.Module.parse(text, context)


def live():
    gc.collect()
    return ir.Context._get_live_count()


def parts(module):
    function = module.body.operations[0]
    block = function.regions[0].blocks[0]
    return [function, function.operation, function.regions[0], block, block.arguments[0],
            block.operations[0].result, block.arguments[0].type, function.attributes["sym_name"]]


def refused(call, *errors):
    try:
        call()
    except errors or (RuntimeError, ValueError, TypeError) as error:
        return str(error)
    raise AssertionError("nothing was raised")


def reuse():
    return [bytearray(b"\\1" * size) for size in range(16, 400) for _ in range(20)]
"""

PROGRAMS = {
    "attributes_end_with_their_tree": """
        for _ in range(20):
            module = parse(FUNCTION)
            for part in parts(module):
                part.note = [1]
            del part, module
        junk = reuse()
        assert live() == 0
    """,
    "attributes_that_refer_to_the_tree": """
        for _ in range(10):
            module = parse(FUNCTION)
            for part in parts(module):
                part.module = module
            del part, module
        assert live() == 0
    """,
    "attributes_end_with_their_operation": """
        class Note:
            count = 0
            def __init__(self):
                Note.count += 1
            def __del__(self):
                Note.count -= 1

        module = parse("")
        with module.context, ir.Location.unknown():
            i32 = ir.IntegerType.get_signless(32)
            for _ in range(50):
                outer = ir.Operation.create("t.o", regions=1, ip=ir.InsertionPoint(module.body))
                block = outer.regions[0].blocks.append()
                inner = ir.Operation.create("t.i", [i32], ip=ir.InsertionPoint(block))
                for part in (inner, inner.opview, inner.result, block):
                    part.note = Note()
                del inner, block, part
                outer.erase()
        assert Note.count == 0, Note.count
    """,
    "weak_references_end_with_the_last_other": """
        module = parse(FUNCTION)
        for number in range(8):
            part = parts(module)[number]
            part.note = number
            watch = weakref.ref(part)
            del part
            assert watch() is None, number
            assert parts(module)[number].note == number
    """,
    "what_the_collector_knows_is_harmless": """
        module = parse(FUNCTION)
        for part in parts(module):
            part.note = 1
        del part
        found = [it for it in gc.get_objects() if type(it).__module__.startswith("{root}")]
        for _ in range(2):
            for it in found:
                for name in dir(it):
                    try:
                        getattr(it, name)
                        str(it)
                    except Exception:
                        pass
            module = None
            gc.collect()
            junk = reuse()
        del found, it
        assert live() == 0
    """,
    "a_view_made_one_of_another_operation": """
        first, second = parse(FUNCTION), parse(FUNCTION)
        view = first.body.operations[0]
        ir.OpView.__init__(view, second.body.operations[0])
        assert view.operation is second.body.operations[0].operation
        del view
        junk = reuse()
        assert first.body.operations[0].operation.block is first.body
        assert first.body.operations[0] is first.body.operations[0]
    """,
    "a_caster_that_erases": """
        from {root}._mlir_libs._mlir import register_type_caster

        text = '''func.func @f(%a: complex<f32>, %b: complex<f32>) {{
            %x:2 = "t.x"(%a, %b) : (complex<f32>, complex<f32>) -> (complex<f32>, complex<f32>)
            return }}'''
        doomed = []

        @register_type_caster(ir.ComplexType.static_typeid, replace=True)
        def cast(it):
            while doomed:
                doomed.pop().erase()
            return it

        for kind in ("operands", "results", "arguments"):
            module = parse(text)
            function = module.body.operations[0]
            block = function.regions[0].blocks[0]
            operation = block.operations[0].operation
            found = block.arguments if kind == "arguments" else getattr(operation, kind)
            doomed += [function] if kind == "arguments" else [operation]
            refused(lambda: found.types, ir.InvalidatedError)
    """,
    "a_block_that_a_detached_operation_goes_to": """
        module = parse(BRANCH)
        first, second = module.body.operations[0].regions[0].blocks
        branch = first.operations[0].operation.detach_from_parent().operation
        refused(second.erase)
        refused(module.body.operations[0].erase)
        assert branch.successors[0] is second
        del first, second, module
        junk = reuse()
        gc.collect()
        block = branch.successors[0]
        assert block.operations[0].name == "t.ret" and block.owner.name == "t.f"
        del branch, block
        assert live() == 0
    """,
    "a_block_that_an_operation_amid_another_goes_to": """
        module = parse(BRANCH)
        first, second = module.body.operations[0].regions[0].blocks
        with module.context, ir.Location.unknown():
            i32 = ir.IntegerType.get_signless(32)
            value = {{"value": ir.IntegerAttr.get(i32, 1)}}
            end = ir.InsertionPoint.after(first.operations[0])
            ir.Operation.create("arith.constant", [i32], attributes=value, ip=end)
        refused(second.erase)
        assert first.operations[0].operation.successors[0] is second
    """,
    "a_branch_moved_or_made_in_another_tree": """
        for moved in (True, False):
            module = parse(BRANCH)
            context = module.context
            first, second = module.body.operations[0].regions[0].blocks
            other = ir.Module.create(ir.Location.unknown(context))
            if moved:
                other.body.append(first.operations[0])
            else:
                with context, ir.Location.unknown():
                    at = ir.InsertionPoint
                    ir.Operation.create("t.br", successors=[second], ip=at(other.body))
            del module, first, second
            gc.collect()
            junk = reuse()
            assert other.body.operations[0].operation.successors[0].operations[0].name == "t.ret"
            del other, context
            assert live() == 0
    """,
    "modules_without_a_body": """
        module = parse(FUNCTION)
        table = ir.SymbolTable(module.operation)
        module.operation.regions[0].blocks[0].erase()
        refused(lambda: module.body, RuntimeError)
        refused(lambda: ir.SymbolTable(module.operation), TypeError)
        assert "f" not in table
        with module.context, ir.Location.unknown():
            bare = ir.Operation.create("builtin.module", regions=0)
        refused(lambda: ir.SymbolTable(bare), TypeError)
    """,
    "symbol_names_that_are_no_strings": """
        module = parse(FUNCTION)
        with module.context, ir.Location.unknown():
            number = ir.IntegerAttr.get(ir.IntegerType.get_signless(32), 1)
            symbol = ir.Operation.create("t.symbol", attributes={{"sym_name": number}})
        refused(lambda: ir.SymbolTable(module.operation).insert(symbol), ValueError)
        refused(lambda: ir.SymbolTable.get_symbol_name(symbol), ValueError)
    """,
    "contexts_that_were_not_initialised": """
        class Mine(ir.Context):
            def __init__(self):
                pass

        for context in (Mine(), ir.Context.__new__(ir.Context), ir.Context.__base__()):
            refused(lambda: ir.Type.parse("i32", context), RuntimeError)
            refused(lambda: ir.Location.unknown(context), RuntimeError)
            refused(lambda: context.new_region(), RuntimeError)
    """,
    "a_value_replaced_by_itself": """
        module = parse(FUNCTION)
        block = parts(module)[3]
        argument, text = block.arguments[0], str(module)
        argument.replace_all_uses_with(argument)
        argument.replace_all_uses_except(argument, block.operations[0])
        block.operations[0].operation.replace_uses_of_with(argument, argument)
        assert str(module) == text
    """,
    "names_of_values_around_which_is_no_operation": """
        context = ir.Context()
        i32 = ir.IntegerType.get_signless(32, context)
        block = context.new_block([i32], [ir.Location.unknown(context)])
        assert block.arguments[0].get_name() == "<<UNKNOWN SSA VALUE>>"
        refused(lambda: ir.AsmState(block.arguments[0]), ValueError)
    """,
    "bytecode_of_what_reaches_outside": """
        import io

        module = parse(FUNCTION)
        write = lambda operation: operation.write_bytecode(io.BytesIO())
        write(module.operation)
        add = parts(module)[3].operations[0].operation
        refused(lambda: write(add), ValueError)
        other = add.clone(ip=False).operation
        refused(lambda: write(other), ValueError)
        refused(lambda: write(module.operation), ValueError)
        other.erase()
        write(module.operation)
    """,
    "classes_stay": """
        class One(ir.OpResult):
            pass

        class Other(ir.BlockArgument):
            pass

        module = parse(FUNCTION)
        result = parts(module)[5]
        change = lambda it, to: refused(lambda: setattr(it, "__class__", to), TypeError)
        change(result, ir.BlockArgument)
        change(One(result), Other)
        change(ir.F32Type.get(module.context), ir.IntegerType)
        assert result.__class__ is ir.OpResult and isinstance(result, ir.Value)
        refused(lambda: object.__setattr__(result, "__class__", ir.BlockArgument), TypeError)
    """,
    "classes_in_python_change": """
        class One(ir.OpView):
            pass

        class Two(ir.OpView):
            def twice(self):
                return 2

        class Plain(ir.Operation):
            pass

        operation = parts(parse(FUNCTION))[5].owner.operation
        view = One(operation)
        view.__class__ = Two
        assert type(view) is Two and view.twice() == 2 and view.operation is operation
        view.__class__ = One
        for other in (ir.OpView, ir.Operation, Plain, ir.OpResult, int, 3):
            refused(lambda: setattr(view, "__class__", other), TypeError)
        refused(lambda: delattr(view, "__class__"), TypeError)
        refused(lambda: setattr(operation, "__class__", Plain), TypeError)
        assert type(view) is One and view.name == operation.name
    """,
    "a_collection_at_any_moment": """
        def acts(module):
            f = module.body.operations[0].operation
            a, b = f.regions[0].blocks
            y, w = a.operations[0].operation, a.operations[1].operation
            x = a.arguments[0]
            return [
                lambda: y.clone(ip=False), w.detach_from_parent, f.detach_from_parent, b.detach,
                a.detach, lambda: w.move_before(y), lambda: y.operands.types,
                lambda: list(x.uses), lambda: a.operations[0:2], lambda: b.append(w),
                lambda: ir.AsmState(f), lambda: f.attributes[0], lambda: list(b.predecessors),
                lambda: f.walk(lambda op: ir.WalkResult.ADVANCE), f.verify,
                lambda: f.context.new_op("t.q", operands=[x], results=[]),
            ]

        text = '''"t.f"() ({{ ^a(%x: i32): %y = "t.y"(%x, %x) : (i32, i32) -> i32
            "t.w"(%y) : (i32) -> ()
            "t.br"()[^b] : () -> ()
            ^b: "t.ret"() : () -> () }}) {{sym_name = "a"}} : () -> ()'''
        victim, countdown = [], 0

        def wipe(phase, info):
            global countdown
            countdown -= 1
            if countdown == 0 and victim:
                function = victim[0].body.operations[0].operation
                for block in function.regions[0].blocks:
                    for op in list(block.operations)[::-1]:
                        op.operation.erase()

        def collected(phase, info):
            try:
                wipe(phase, info)
            except Exception:
                pass

        gc.callbacks.append(collected)
        for number in range(16):
            for after in range(1, 6):
                module = parse(text)
                act = acts(module)[number]
                victim[:] = [module]
                gc.collect()
                countdown = after
                gc.set_threshold(1, 1, 1)
                try:
                    result = act()
                except Exception as error:
                    result = error
                gc.set_threshold(700, 10, 10)
                countdown = 0
                str(module), str(result)
                victim.clear()
                del module, act, result
    """,
}


@pytest.mark.parametrize("name", PROGRAMS)
def test_survives(root, name):
    text = BEGIN.format(root=root) + textwrap.dedent(PROGRAMS[name].format(root=root))
    env = {**os.environ, "PYTHONMALLOC": "malloc", "MALLOC_PERTURB_": "1"}
    done = subprocess.run(
        [sys.executable, "-X", "faulthandler", "-c", text],
        env=env,
        capture_output=True,
        text=True,
        timeout=120,
    )
    assert done.returncode == 0, done.stderr
