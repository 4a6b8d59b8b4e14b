"""The uses of an input: it is read, and its result verified, printed and written."""

import importlib
import io
import os

ROOT = os.environ.get("MONDO_IMPORT_ROOT", "mlir")
ir = importlib.import_module(f"{ROOT}.ir")


def context():
    made = ir.Context()
    made.allow_unregistered_dialects = True
    made.enable_multithreading(False)
    return made


def use(operation):
    """Whatever walks over all of it."""
    str(operation)
    operation.get_asm(print_generic_op_form=True, enable_debug_info=True)
    operation.write_bytecode(io.BytesIO())
    operation.clone()


def read(reader, data):
    """Reads an input in the current context. Returns who refused it: check, mlir or nobody."""
    try:
        if reader == "module":
            use(ir.Module.parse(data).operation)
        elif reader == "operation":
            use(ir.Operation.parse(data).operation)
        else:
            text = data.decode("utf-8", "replace")
            str((ir.Attribute if reader == "attribute" else ir.Type).parse(text))
    except ir.MLIRError as error:
        message = str(error)
        ours = "the bytecode is damaged" in message or "the text cannot be parsed" in message
        return "check" if ours else "mlir"
    except ValueError:
        # MLIR reads it, but bytecode cannot have it.
        return "mlir"
    return "nobody"
