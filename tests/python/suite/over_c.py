"""Tests of the library below Python: scenarios over the C API alone, each run as a program.

``python over_c.py <library> <scenario>`` loads the mondo library without the extension, so that no
death callback but the scenario's own is set.
"""

import ctypes
import os
import re
import signal
import sys
import threading
import time
from ctypes import CFUNCTYPE, c_bool, c_char_p, c_int, c_size_t, c_ssize_t, c_void_p


class Handle(ctypes.Structure):
    """Any of the C API's structs that hold one pointer."""

    _fields_ = [("ptr", c_void_p)]


class StringRef(ctypes.Structure):
    _fields_ = [("data", c_char_p), ("length", c_size_t)]


class LogicalResult(ctypes.Structure):
    _fields_ = [("value", ctypes.c_int8)]


WALK = CFUNCTYPE(c_int, Handle, c_void_p)
DEATH = CFUNCTYPE(None, c_void_p)
TEXT = CFUNCTYPE(None, StringRef, c_void_p)


class ExternalPassCallbacks(ctypes.Structure):
    _fields_ = [
        ("construct", CFUNCTYPE(None, c_void_p)),
        ("destruct", CFUNCTYPE(None, c_void_p)),
        ("initialize", c_void_p),
        ("clone", CFUNCTYPE(c_void_p, c_void_p)),
        ("run", CFUNCTYPE(None, Handle, Handle, c_void_p)),
    ]


RESULTS = {
    "mondoHooksWork": c_bool,
    "mondoSetDeathCallback": c_bool,
    "mondoOperationGetObserver": c_void_p,
    "mondoBlockGetObserver": c_void_p,
    "mondoBlockArgumentGetObserver": c_void_p,
    "mondoRegionGetNumber": c_ssize_t,
    "mlirBlockGetNumArguments": c_ssize_t,
    "mlirOperationGetNumResults": c_ssize_t,
    "mlirOperationGetNumRegions": c_ssize_t,
    "mlirOperationVerify": c_bool,
    "mlirIdentifierStr": StringRef,
    "mlirPassManagerRunOnOp": LogicalResult,
    "mlirParsePassPipeline": LogicalResult,
}
NO_RESULT = re.compile("Register|Destroy|Append|LoadAll|Set(?!Death)|Erase|Use|Walk|Move|AddOwned")


class Library:
    """The C API: handles and strings go in, handles or plain values come out."""

    def __init__(self, path):
        self.dll = ctypes.CDLL(path)

    def __getattr__(self, name):
        function = getattr(self.dll, name)
        function.restype = RESULTS.get(name, None if NO_RESULT.search(name) else Handle)

        def call(*args):
            return function(*(text(arg) if isinstance(arg, str) else arg for arg in args))

        setattr(self, name, call)
        return call


def text(string):
    data = string.encode()
    return StringRef(data, len(data))


class World:
    """A context with every dialect of the bundle and threads from the shared pool."""

    def __init__(self, c):
        self.c = c
        registry = c.mlirDialectRegistryCreate()
        c.mondoRegisterBundle(registry)
        self.context = c.mlirContextCreateWithThreading(c_bool(False))
        c.mlirContextAppendDialectRegistry(self.context, registry)
        c.mlirContextLoadAllAvailableDialects(self.context)
        c.mlirDialectRegistryDestroy(registry)
        c.mondoContextUseSharedThreadPool(self.context)

    def parse(self, source):
        module = self.c.mlirModuleCreateParse(self.context, text(source))
        assert module.ptr, "the source does not parse"
        return self.c.mlirModuleGetOperation(module)

    def operations(self, root):
        """Every operation, parents before children."""
        found = []

        @WALK
        def visit(op, _):
            found.append(Handle(op.ptr))
            return 0

        self.c.mlirOperationWalk(root, visit, None, c_int(0))
        return found

    def run(self, op, pipeline):
        manager = self.c.mlirPassManagerCreate(self.context)
        nested = self.c.mlirPassManagerGetAsOpPassManager(manager)
        whole = text(f"builtin.module({pipeline})")
        parsed = self.c.mlirParsePassPipeline(nested, whole, TEXT(lambda *_: None), None)
        assert parsed.value, pipeline
        assert self.c.mlirPassManagerRunOnOp(manager, op).value, pipeline
        self.c.mlirPassManagerDestroy(manager)

    def run_python(self, op, function):
        """Runs a function of Python's on each function of the module, in the pool's threads."""

        @ExternalPassCallbacks._fields_[0][1]
        def nothing(_):
            pass

        @ExternalPassCallbacks._fields_[3][1]
        def clone(data):
            return data

        @ExternalPassCallbacks._fields_[4][1]
        def run(op, _pass, _data):
            function(op)

        callbacks = ExternalPassCallbacks(nothing, nothing, None, clone, run)
        manager = self.c.mlirPassManagerCreate(self.context)
        nested = self.c.mlirPassManagerGetNestedUnder(manager, "func.func")
        types = self.c.mlirTypeIDAllocatorCreate()
        anchor = text("func.func")  # which the pass refers to
        created = self.c.mlirCreateExternalPass(
            self.c.mlirTypeIDAllocatorAllocateTypeID(types),
            *(text("python"), text(""), text(""), anchor),
            *(c_ssize_t(0), None, callbacks, None),
        )
        self.c.mlirOpPassManagerAddOwnedPass(nested, created)
        assert self.c.mlirPassManagerRunOnOp(manager, op).value
        self.c.mlirPassManagerDestroy(manager)
        self.c.mlirTypeIDAllocatorDestroy(types)


class Deaths:
    """Gives out observers under names, and keeps the names of what died in order."""

    def __init__(self, c):
        self.names, self.dead, self.threads = {}, [], set()
        self.callback = DEATH(self.died)
        assert c.mondoSetDeathCallback(self.callback)
        assert not c.mondoSetDeathCallback(self.callback), "there is one callback"

    def observer(self, name):
        address = 16 * (len(self.names) + 1)
        self.names[address] = name
        return c_void_p(address)

    def died(self, observer):
        self.dead.append(self.names[observer])
        self.threads.add(threading.get_ident())


SMALL = """
func.func @f(%x: i32, %y: i32, %z: i32) -> i32 {
  %a = arith.addi %y, %y : i32
  %b = arith.addi %y, %y : i32
  %c = arith.muli %a, %b : i32
  return %c : i32
}
"""


def functions(count):
    return "\n".join(SMALL.replace("@f", f"@f{number}") for number in range(count))


def modules(count):
    return "\n".join(f"module {{ {functions(8)} }}" for _ in range(count))


def name_of(op, c):
    name = c.mlirIdentifierStr(c.mlirOperationGetName(op))
    return ctypes.string_at(name.data, name.length).decode()


def hooks_work(c):
    assert c.mondoHooksWork()
    deaths = Deaths(c)
    assert c.mondoHooksWork(), "with a callback too"
    assert not deaths.dead, "and its own deaths are nobody else's"


def every_death_is_announced(c):
    deaths, world = Deaths(c), World(c)
    root = world.parse(SMALL)
    expected = []
    for op in world.operations(root):
        c.mondoOperationSetObserver(op, deaths.observer(name := name_of(op, c)))
        expected.append(name)
        for index in range(c.mlirOperationGetNumRegions(op)):
            region = c.mlirOperationGetRegion(op, c_ssize_t(index))
            block = c.mlirRegionGetFirstBlock(region)
            c.mondoBlockSetObserver(block, deaths.observer(f"block of {name}"))
            expected.append(f"block of {name}")
            for number in range(c.mlirBlockGetNumArguments(block)):
                argument = c.mlirBlockGetArgument(block, c_ssize_t(number))
                observer = deaths.observer(f"argument {number}")
                c.mondoBlockArgumentSetObserver(argument, observer)
                assert c.mondoBlockArgumentGetObserver(argument) == observer.value
                expected.append(f"argument {number}")
    c.mlirOperationDestroy(root)
    assert sorted(deaths.dead) == sorted(expected), deaths.dead
    assert deaths.dead[-4:] == [
        "block of func.func",
        "func.func",
        "block of builtin.module",
        "builtin.module",
    ], "children die before their parents"


def a_pass_kills(c):
    deaths, world = Deaths(c), World(c)
    root = world.parse(SMALL)
    ops = world.operations(root)
    for number, op in enumerate(ops):
        c.mondoOperationSetObserver(op, deaths.observer(f"{number} {name_of(op, c)}"))
    world.run(root, "func.func(cse)")
    assert deaths.dead == ["3 arith.addi"], deaths.dead
    for op in world.operations(root):
        assert c.mondoOperationGetObserver(op), "the others are observed as before"


def observers_travel_and_go(c):
    deaths, world = Deaths(c), World(c)
    root = world.parse(SMALL)
    _, function, first, second, *_ = world.operations(root)
    observer = deaths.observer("moved")
    c.mondoOperationSetObserver(second, observer)
    c.mlirOperationMoveBefore(second, first)
    assert c.mondoOperationGetObserver(second) == observer.value
    block = c.mlirRegionGetFirstBlock(c.mlirOperationGetRegion(function, c_ssize_t(0)))
    arguments = [c.mlirBlockGetArgument(block, c_ssize_t(number)) for number in range(3)]
    for number, argument in enumerate(arguments):
        c.mondoBlockArgumentSetObserver(argument, deaths.observer(number))
    c.mondoBlockSetObserver(block, deaths.observer("block"))
    c.mlirBlockEraseArgument(block, ctypes.c_uint(2))
    c.mlirBlockEraseArgument(block, ctypes.c_uint(0))
    assert deaths.dead == [2, 0], deaths.dead
    c.mondoOperationSetObserver(second, None)
    c.mondoBlockSetObserver(block, None)
    c.mondoBlockArgumentSetObserver(arguments[1], None)
    assert c.mondoBlockGetObserver(block) is None
    assert c.mondoBlockArgumentGetObserver(arguments[1]) is None
    assert c.mondoOperationGetObserver(second) is None
    c.mlirOperationDestroy(root)
    assert deaths.dead == [2, 0], "what has no observer dies unseen"


def tree(c):
    world = World(c)
    root = world.parse(SMALL)
    _, function, op, *_ = world.operations(root)
    assert c.mondoOperationGetRoot(op).ptr == root.ptr == c.mondoOperationGetRoot(root).ptr
    region = c.mlirOperationGetRegion(function, c_ssize_t(0))
    assert c.mondoRegionGetParentOperation(region).ptr == function.ptr
    assert c.mondoRegionGetNumber(region) == 0
    block = c.mlirRegionGetFirstBlock(region)
    assert c.mondoBlockGetParentRegionOrNull(block).ptr == region.ptr
    free = c.mlirRegionCreate()
    assert c.mondoRegionGetParentOperation(free).ptr is None
    assert c.mondoRegionGetNumber(free) == -1
    alone = c.mlirBlockCreate(c_ssize_t(0), None, None)
    assert c.mondoBlockGetParentRegionOrNull(alone).ptr is None


def threads():
    return len(os.listdir("/proc/self/task"))


def work(world, module, nested):
    world.run(module, "func.func(canonicalize,cse)")
    world.run(nested, "builtin.module(func.func(canonicalize,cse))")
    assert world.c.mlirOperationVerify(module) and world.c.mlirOperationVerify(nested)


def many_contexts(c):
    limit = threads() + len(os.sched_getaffinity(0))
    for _ in range(20):
        world = World(c)
        work(world, world.parse(functions(64)), world.parse(modules(16)))
    assert threads() <= limit, f"{threads()} threads for 20 contexts"


def many_callers(c):
    """Several threads use the pool at once, each with a context of its own."""
    failures = []

    def use():
        try:
            for _ in range(5):
                world = World(c)
                work(world, world.parse(functions(32)), world.parse(modules(8)))
        except Exception as error:
            failures.append(error)

    started = [threading.Thread(target=use) for _ in range(8)]
    for thread in started:
        thread.start()
    for thread in started:
        thread.join()
    assert not failures, failures


def in_child(function):
    """Runs a function in a forked child, which then ends as a program does."""
    child = os.fork()
    if child == 0:
        try:
            function()
        except Exception as error:
            print(repr(error), file=sys.stderr)
            os._exit(1)
        sys.exit(0)
    assert os.waitpid(child, 0)[1] == 0


def fork(c):
    world = World(c)
    module, nested = world.parse(functions(64)), world.parse(modules(16))
    in_child(lambda: work(world, module, nested))
    work(world, module, nested)
    for _ in range(20):
        in_child(lambda: in_child(lambda: work(world, module, nested)))
    work(world, module, nested)


def fork_in_a_task(c):
    """A pass forks in a thread of the pool, while others are at work."""
    world = World(c)
    module = world.parse(functions(32))
    statuses = []

    def run(_op):
        child = os.fork()
        if child == 0:
            other = World(c)
            work(other, other.parse(functions(16)), other.parse(modules(4)))
            os._exit(7)
        statuses.append(os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]))

    world.run_python(module, run)
    assert statuses == [7] * 32, statuses


def fork_at_first_use(c):
    """A child does not wait for a static variable that another thread had begun to initialise."""

    def use():
        world = World(c)
        work(world, world.parse(functions(4)), world.parse(modules(2)))

    def race(delay):
        first = threading.Thread(target=use)
        first.start()
        time.sleep(delay)
        child = os.fork()
        if child == 0:
            signal.alarm(20)
            use()
            os._exit(7)
        status = os.waitpid(child, 0)[1]
        first.join()
        assert os.waitstatus_to_exitcode(status) == 7, status

    # Each in a child of a process that has not used the library: a variable has one first use.
    for step in range(40):
        in_child(lambda delay=step / 5000: race(delay))


def fork_among_deaths(c):
    """A child is not left with a table that another thread of its parent had locked."""
    deaths = Deaths(c)
    stop = threading.Event()

    def churn():
        block = c.mlirBlockCreate(c_ssize_t(0), None, None)
        observer = deaths.observer("churned")
        while not stop.is_set():
            for _ in range(100):
                c.mondoBlockSetObserver(block, observer)
                c.mondoBlockSetObserver(block, None)

    def use():
        for _ in range(500):
            block = c.mlirBlockCreate(c_ssize_t(0), None, None)
            c.mondoBlockSetObserver(block, deaths.observer("of the child"))
            c.mlirBlockDestroy(block)

    churning = [threading.Thread(target=churn) for _ in range(2)]
    for thread in churning:
        thread.start()
    try:
        for _ in range(20):
            in_child(use)
    finally:
        stop.set()
        for thread in churning:
            thread.join()


SCENARIOS = {
    scenario.__name__: scenario
    for scenario in (
        hooks_work,
        every_death_is_announced,
        a_pass_kills,
        observers_travel_and_go,
        tree,
        many_contexts,
        many_callers,
        fork,
        fork_in_a_task,
        fork_at_first_use,
        fork_among_deaths,
    )
}

if __name__ == "__main__":
    library = Library(sys.argv[1])
    library.mondoRegisterBundlePasses()
    SCENARIOS[sys.argv[2]](library)
    print("done")
