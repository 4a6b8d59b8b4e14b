"""All that a definition is written with, under the name that upstream has it by."""

from ..... import ir as _ir
from ...._typing import Dict, List, Optional, Set, Tuple
from .affine import *
from .definition import *
from .expressions import *
from .operands import *
from .scalar_expr import *
from .types import *
from .yaml_helper import *

# Upstream defines these classes here.
for _class in (
    BinaryFn,
    BinaryFnAttrDef,
    BinaryFnType,
    Comprehension,
    FunctionKind,
    IndexAttrDef,
    LinalgOpDef,
    OpDefinitionDef,
    OpInterfaceDef,
    OpMetadataDef,
    OperandDef,
    OperandKind,
    ReduceFn,
    ReduceFnType,
    ReduceFnUse,
    ScalarDef,
    TensorDef,
    TensorExpression,
    TensorFn,
    TensorReduceFn,
    TensorUse,
    TernaryFn,
    TernaryFnAttrDef,
    TernaryFnType,
    TypeFn,
    TypeFnAttrDef,
    TypeFnType,
    UnaryFn,
    UnaryFnAttrDef,
    UnaryFnType,
    const,
    index,
):
    _class.__module__ = __name__
