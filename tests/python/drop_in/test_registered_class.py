"""An operation is seen as the class that is registered for its name, whatever it was built with."""


def test_generated_class(ir, module, body):
    func = module("dialects.func")
    generated = module("dialects._func_ops_gen")
    function_type = ir.TypeAttr.get(ir.FunctionType.get([], []))
    built = generated.FuncOp("f", function_type)
    assert type(built) is generated.FuncOp
    seen = body.body.operations[0]
    assert type(seen) is func.FuncOp and seen.name.value == "f"
    assert type(built.operation.opview) is func.FuncOp
    assert seen == built


def test_unregistered_class(ir, module, body):
    arith = module("dialects.arith")

    class Mine(arith.AddIOp):
        pass

    i32 = ir.IntegerType.get_signless(32)
    one = arith.ConstantOp(i32, 1)
    total = Mine(one, one)
    assert type(total) is Mine
    assert type(total.operation.opview) is arith.AddIOp
    assert type(body.body.operations[1]) is arith.AddIOp


def test_bases(module):
    """The direct base of an extended class is the generated one."""
    for dialect, generated, names in [
        ("func", "_func_ops_gen", "FuncOp CallOp ConstantOp"),
        ("builtin", "_builtin_ops_gen", "ModuleOp"),
        ("scf", "_scf_ops_gen", "ForOp IfOp ForallOp"),
        ("arith", "_arith_ops_gen", "ConstantOp"),
    ]:
        extended, plain = module(f"dialects.{dialect}"), module(f"dialects.{generated}")
        for name in names.split():
            if getattr(extended, name) is not getattr(plain, name):
                assert getattr(extended, name).__base__ is getattr(plain, name), name


def test_constructor_of_the_base(ir, module, body):
    func = module("dialects.func")
    function_type = ir.TypeAttr.get(ir.FunctionType.get([], []))
    func.FuncOp.__base__("f", function_type, sym_visibility="private")
    assert str(body.body.operations[0]).strip() == "func.func private @f()"
