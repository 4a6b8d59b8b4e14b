"""The `transform` dialect: transformations as IR."""

from ..ir import *
from ._dialect_type import DialectType as _DialectType
from ._dialect_type import register_types as _register_types
from ._transform_enum_gen import *
from ._transform_ops_gen import *
from ._transform_ops_gen import _Dialect


class AnyOpType(_DialectType):
    """A handle to operations."""

    @staticmethod
    def get(context: Context | None = None) -> "AnyOpType":
        """The type, in ``context`` or the current one."""
        return AnyOpType._parse("!transform.any_op", context)


class AnyParamType(_DialectType):
    """A parameter of any type."""

    @staticmethod
    def get(context: Context | None = None) -> "AnyParamType":
        """The type, in ``context`` or the current one."""
        return AnyParamType._parse("!transform.any_param", context)


class AnyValueType(_DialectType):
    """A handle to values."""

    @staticmethod
    def get(context: Context | None = None) -> "AnyValueType":
        """The type, in ``context`` or the current one."""
        return AnyValueType._parse("!transform.any_value", context)


class OperationType(_DialectType):
    """A handle to operations of one name."""

    @staticmethod
    def get(operation_name: str, context: Context | None = None) -> "OperationType":
        """The type for operations of this name, in ``context`` or the current one."""
        return OperationType._parse(f'!transform.op<"{operation_name}">', context)

    @property
    def operation_name(self) -> str:
        """The name of the operations."""
        return self._between('!transform.op<"', '">')


class ParamType(_DialectType):
    """A parameter of one type."""

    @staticmethod
    def get(type: Type, context: Context | None = None) -> "ParamType":
        """The type for parameters of ``type``, in the context of that."""
        return ParamType._parse(f"!transform.param<{type}>", type.context)

    @property
    def type(self) -> Type:
        """The type of the parameter."""
        return Type.parse(self._between("!transform.param<", ">"), self.context)


_register_types(
    "transform",
    {
        AnyOpType: "!transform.any_op",
        AnyParamType: "!transform.any_param",
        AnyValueType: "!transform.any_value",
        OperationType: '!transform.op<"builtin.module">',
        ParamType: "!transform.param<i64>",
    },
)


@register_attribute_builder("ParamOperandAttr")
def _param_operand(index: int, context: Context | None) -> Attribute:
    return Attribute.parse(f"#transform.param_operand<index={index}>", context=context)


def any_op_t() -> AnyOpType:
    """The type of a handle to operations."""
    return AnyOpType.get()
