"""Calls whose instructions are counted at a size and at four times that; the arguments name cases.

Run it under callgrind with ``--collect-atstart=no``. Callgrind writes a part for each count. A case
is a generator: callgrind counts from its first ``yield`` to its second one, or to its end.
"""

import ctypes
import io
import mmap
import sys

from mlir import ir
from mlir.dialects import arith, func
from mlir.passmanager import PassManager
from mlir.rewrite import RewritePatternSet, apply_patterns_and_fold_greedily

# Operations beside each other, and in each other.
WIDE, DEEP = 200, 60
TIMES = 4
CASES = {}

# A function that hands the address of six words to valgrind, whose `valgrind.h` has these
# instructions of x86-64. Outside of valgrind they do nothing.
REQUEST = bytes.fromhex(
    "4889f8"  # mov rax, rdi
    "31d2"  # xor edx, edx
    "48c1c703 48c1c70d 48c1c73d 48c1c733"  # rol rdi, 3; 13; 61; 51
    "4887db"  # xchg rbx, rbx
    "4889d0"  # mov rax, rdx
    "c3"  # ret
)
DUMP = (ord("C") << 24) + (ord("T") << 16)
TOGGLE = DUMP + 2

page = mmap.mmap(-1, mmap.PAGESIZE, prot=mmap.PROT_READ | mmap.PROT_WRITE | mmap.PROT_EXEC)
page.write(REQUEST)
call = ctypes.CFUNCTYPE(ctypes.c_void_p, ctypes.c_void_p)(
    ctypes.addressof(ctypes.c_char.from_buffer(page))
)


def request(code):
    """Tells callgrind something."""
    words = (ctypes.c_uint64 * 6)(code)
    call(ctypes.addressof(words))


def case(size):
    """Enters a generator into the table."""
    return lambda work: CASES.setdefault(work.__name__, (work, size))


# Parts of the cases.


def leaf(operands=(), ip=None):
    """An operation with one result."""
    return ir.Operation.create("t.leaf", [ir.IntegerType.get_signless(8)], list(operands), ip=ip)


def holder(ip=None):
    """An operation with a block; returns both."""
    op = ir.Operation.create("t.holder", regions=1, ip=ip)
    return op, op.regions[0].blocks.append()


def wide(size):
    """A module with leaves."""
    module = ir.Module.create()
    with ir.InsertionPoint(module.body):
        return module, [leaf() for _ in range(size)]


def nested(size):
    """Operations in each other, and their blocks from the outside in."""
    top, block = holder(ip=False)
    blocks = [block]
    for _ in range(1, size):
        blocks.append(holder(ip=ir.InsertionPoint(blocks[-1]))[1])
    return top, blocks


def functions(size):
    """The text of functions."""
    function = "func.func @f{}(%a: i32) -> i32 {{ %0 = arith.addi %a, %a : i32 return %0 : i32 }}"
    return "\n".join(map(function.format, range(size)))


# Building.


@case(WIDE)
def create_at_an_insertion_point(size):
    yield
    module, _ = wide(size)
    yield module


@case(WIDE)
def build_views(size):
    i32 = ir.IntegerType.get_signless(32)
    module = ir.Module.create()
    with ir.InsertionPoint(module.body):
        value = arith.constant(i32, 1)
        yield
        for _ in range(size):
            value = arith.addi(value, value)
        yield


@case(WIDE)
def build_functions(size):
    i32 = ir.IntegerType.get_signless(32)
    module = ir.Module.create()
    yield
    with ir.InsertionPoint(module.body):
        for number in range(size):
            function = func.FuncOp(f"f{number}", ([i32], [i32]))
            with ir.InsertionPoint(function.add_entry_block()):
                func.return_([function.arguments[0]])
    yield


@case(DEEP)
def nest_from_the_outside_in(size):
    yield
    top, _ = nested(size)
    yield top


@case(WIDE)
def insert_before(size):
    module, _ = wide(1)
    yield
    for _ in range(size):
        ir.InsertionPoint(module.body.operations[0]).insert(leaf(ip=False))
    yield


@case(WIDE)
def add_blocks(size):
    top, block = holder(ip=False)
    yield
    for _ in range(size):
        block = block.create_after()
    yield top


@case(WIDE)
def add_arguments(size):
    i32, here = ir.IntegerType.get_signless(32), ir.Location.unknown()
    top, block = holder(ip=False)
    yield
    for _ in range(size):
        block.add_argument(i32, here)
    yield top


@case(WIDE)
def use_one_value(size):
    module, (first,) = wide(1)
    yield
    with ir.InsertionPoint(module.body):
        for _ in range(size):
            leaf(first.results)
    yield


@case(WIDE)
def use_values_of_another_tree(size):
    module, operations = wide(size)
    yield
    users = [leaf(op.results, ip=False) for op in operations]
    yield module, users


@case(WIDE)
def insert_symbols(size):
    module = ir.Module.parse(functions(size))
    other = ir.Module.create()
    table = ir.SymbolTable(other.operation)
    symbols = [op.operation for op in module.body]
    for op in symbols:
        op.detach_from_parent()
    yield
    for op in symbols:
        table.insert(op)
    yield


@case(WIDE)
def clone(size):
    module, _ = wide(size)
    yield
    copy = module.operation.clone()
    yield copy


@case(DEEP)
def clone_what_is_deep(size):
    top, _ = nested(size)
    yield
    copy = top.clone(ip=False)
    yield copy


# Moving.


@case(WIDE)
def move_beside_each_other(size):
    module, operations = wide(size)
    yield
    for op in operations:
        op.move_before(operations[0] if op is not operations[0] else operations[1])
    yield module


@case(WIDE)
def move_to_another_tree(size):
    module, operations = wide(size)
    other = ir.Module.create()
    yield
    for op in operations:
        other.body.append(op)
    yield module


@case(DEEP)
def move_into_the_depth(size):
    top, blocks = nested(size)
    op = leaf(ip=ir.InsertionPoint(blocks[0]))
    yield
    for block in blocks:
        block.append(op)
    yield top


@case(DEEP)
def detach_and_append(size):
    top, blocks = nested(size)
    op = leaf(ip=ir.InsertionPoint(blocks[0]))
    yield
    for block in blocks:
        op.detach_from_parent()
        block.append(op)
    yield top


@case(WIDE)
def move_what_has_much_in_it(size):
    module, (first,) = wide(1)
    with ir.InsertionPoint(module.body):
        op, block = holder()
        with ir.InsertionPoint(block):
            for _ in range(size):
                leaf()
    yield
    for _ in range(size):
        op.move_before(first)
        op.move_after(first)
    yield


# Erasing.


@case(WIDE)
def erase_from_the_front(size):
    module, operations = wide(size)
    yield
    for op in operations:
        op.erase()
    yield module


@case(WIDE)
def erase_from_the_back(size):
    module, operations = wide(size)
    yield
    while operations:
        operations.pop().erase()
    yield module


@case(DEEP)
def erase_from_the_inside_out(size):
    top, blocks = nested(size)
    yield
    while len(blocks) > 1:
        blocks.pop().owner.erase()
    yield top


@case(WIDE)
def erase_blocks(size):
    top, block = holder(ip=False)
    blocks = [block.create_after() for _ in range(size)]
    yield
    for block in blocks:
        block.erase()
    yield top


@case(WIDE)
def erase_arguments(size):
    i32, here = ir.IntegerType.get_signless(32), ir.Location.unknown()
    top, block = holder(ip=False)
    for _ in range(size):
        block.add_argument(i32, here)
    yield
    for number in reversed(range(size)):
        block.erase_argument(number)
    yield top


@case(WIDE)
def erase_branches_to_one_block(size):
    top, end = holder(ip=False)
    branches = [
        ir.Operation.create("t.branch", successors=[end], ip=ir.InsertionPoint(end.create_before()))
        for _ in range(size)
    ]
    yield
    for branch in branches:
        branch.erase()
    yield top


@case(WIDE)
def erase_users_of_one_value(size):
    module, (first,) = wide(1)
    with ir.InsertionPoint(module.body):
        users = [leaf(first.results) for _ in range(size)]
    yield
    for user in users:
        user.erase()
    yield


@case(WIDE)
def erase_by_a_pass(size):
    module, operations = wide(size)
    manager = PassManager("any")
    manager.add(lambda op, _: [inner.erase() for inner in op.regions[0].blocks[0]], "erase")
    yield
    manager.run(module.operation)
    yield operations


@case(WIDE)
def erase_by_a_pattern(size):
    module = ir.Module.parse(functions(size))
    patterns = RewritePatternSet()
    patterns.add(func.FuncOp, lambda op, rewriter: rewriter.erase_op(op))
    frozen = patterns.freeze()
    yield
    apply_patterns_and_fold_greedily(module, frozen)
    yield


@case(WIDE)
def erase_by_cse(size):
    i32 = ir.IntegerType.get_signless(32)
    module = ir.Module.create()
    with ir.InsertionPoint(module.body):
        constants = [arith.constant(i32, number) for number in range(size)]
    yield
    PassManager.parse("builtin.module(cse)").run(module.operation)
    yield constants


# Reading and writing.


@case(WIDE)
def parse(size):
    text = functions(size)
    yield
    module = ir.Module.parse(text)
    yield module


@case(WIDE)
def print_text(size):
    module = ir.Module.parse(functions(size))
    yield
    str(module)
    yield


@case(WIDE)
def print_generic_text(size):
    module = ir.Module.parse(functions(size))
    yield
    module.operation.get_asm(print_generic_op_form=True)
    yield


@case(DEEP)
def print_what_is_deep(size):
    top, _ = nested(size)
    yield
    str(top)
    yield


@case(WIDE)
def write_bytecode(size):
    module = ir.Module.parse(functions(size))
    yield
    module.operation.write_bytecode(file=io.BytesIO())
    yield


@case(WIDE)
def parse_bytecode(size):
    written = io.BytesIO()
    ir.Module.parse(functions(size)).operation.write_bytecode(file=written)
    yield
    module = ir.Module.parse(written.getvalue())
    yield module


@case(WIDE)
def walk(size):
    module, _ = wide(size)
    yield
    module.operation.walk(lambda op: ir.WalkResult.ADVANCE)
    yield


@case(WIDE)
def replace_all_uses(size):
    module, (old, new) = wide(2)
    with ir.InsertionPoint(module.body):
        for _ in range(size):
            leaf(old.results)
    yield
    old.results[0].replace_all_uses_with(new.results[0])
    yield


# Destroying.


@case(WIDE)
def drop_what_is_wide(size):
    module, operations = wide(size)
    yield
    del module, operations
    yield


@case(DEEP)
def drop_what_is_deep(size):
    top, blocks = nested(size)
    yield
    del top, blocks
    yield


@case(WIDE)
def drop_what_other_trees_use(size):
    module, operations = wide(size)
    users = [leaf(op.results, ip=False) for op in operations]
    yield
    del module, operations, users
    yield


def run(work, size):
    """Counts a case at both sizes."""
    with ir.Context() as context, ir.Location.unknown():
        context.allow_unregistered_dialects = True
        # The first run loads modules and fills caches.
        for number in (size, size, TIMES * size):
            steps = work(number)
            next(steps)
            request(TOGGLE)
            held = next(steps, None)
            request(TOGGLE)
            request(DUMP)
            del held
            steps.close()


if __name__ == "__main__":
    for name in sys.argv[1:] or CASES:
        print(name, flush=True)
        run(*CASES[name])
