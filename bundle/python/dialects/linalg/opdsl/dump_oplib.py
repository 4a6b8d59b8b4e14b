"""Writes the operations that modules define: ``python -m …opdsl.dump_oplib .ops.core_named_ops``.

A module is named, perhaps relative to this package, or given as a file with ``--file``. The forms
are ``yaml``, one document for each operation, and ``repr``.
"""

from __future__ import annotations

import argparse
import importlib
import importlib.util
from types import ModuleType

from .lang import *
from .lang.yaml_helper import yaml_dump_all


def create_arg_parser() -> argparse.ArgumentParser:
    """The command line."""
    parser = argparse.ArgumentParser(description="Writes the operations that modules define")
    parser.add_argument("modules", metavar="M", nargs="*", help="a module with definitions")
    parser.add_argument("--file", metavar="F", nargs="*", help="a file with definitions")
    parser.add_argument(
        "--format", choices=("yaml", "repr"), default="yaml", help="what they are written as"
    )
    return parser


def load_module_from_file(module_name: str, file_path: str) -> ModuleType:
    """Runs a file as a module of this name."""
    spec = importlib.util.spec_from_file_location(module_name, file_path)
    assert spec is not None and spec.loader is not None, f"{file_path} is not a Python file"
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


def main(args: argparse.Namespace) -> None:
    """Loads the modules and writes what is in them."""
    modules = [importlib.import_module(name, package=__package__) for name in args.modules]
    modules += [
        load_module_from_file(f"_mlir_eval_oplib{number}", path)
        for number, path in enumerate(args.file or [])
    ]
    configs: list[LinalgOpConfig] = []
    for value in (value for module in modules for value in vars(module).values()):
        if not isinstance(value, DefinedOpCallable):
            continue
        try:
            configs.extend(LinalgOpConfig.from_linalg_op_def(value.op_def))
        except Exception as error:
            raise ValueError(f"Could not create LinalgOpConfig from {value.op_def}") from error
    if args.format == "yaml":
        print(yaml_dump_all(configs))
    else:
        for config in configs:
            print(repr(config))


if __name__ == "__main__":
    main(create_arg_parser().parse_args())
