"""The `transform` dialect: transformations as IR."""

import typing as _typing
from collections.abc import Mapping
from typing import Any

from ..._mlir_libs._mlirDialectsTransform import *
from ...ir import *
from .. import _transform_ops_gen as _gen
from .._members import Members as _Members
from .._members import with_members_of as _with_members_of
from .._ods_common import Loc as _Loc
from .._ods_common import Place as _Place
from .._ods_common import _cext as _ods_cext
from .._ods_common import get_op_result_or_value as _get_op_result_or_value
from .._ods_common import get_op_results_or_values as _get_op_results_or_values
from .._transform_enum_gen import *
from .._transform_ops_gen import *
from .._transform_ops_gen import _Dialect
from .._typing import Dict, Iterable, NewType, Optional, Sequence, Union
from . import interpreter

_ValueLike = Operation | OpView | Value
_Bindings = Sequence[Value] | Sequence[Type] | Operation | OpView | None
_ArgumentAttributes = Sequence[dict[str, Attribute]] | ArrayAttr | None


@register_attribute_builder("ParamOperandAttr")
def _paramOperandAttr(x: int, context: Context | None) -> Attribute:
    return Attribute.parse(f"#transform.param_operand<index={x}>", context=context)


def _results_or_op(op: OpView) -> Any:
    """The only result, or several, or the operation where it has none."""
    results = op.results
    if len(results) == 1:
        return results[0]
    return results if len(results) else op


class _Body(_Members):
    """The members of operations whose body begins with what it transforms."""

    @property
    def body(self) -> Block:
        """The block of the body."""
        return self.regions[0].blocks[0]

    @property
    def bodyTarget(self) -> Value:  # upstream's name
        """The first argument: what is transformed."""
        return self.body.arguments[0]

    @property
    def bodyExtraArgs(self) -> BlockArgumentList:  # upstream's name
        """The further arguments."""
        return self.body.arguments[1:]


@_ods_cext.register_operation(_Dialect, replace=True)
class CastOp(_gen.CastOp):
    """A handle as one of another type."""

    def __init__(
        self, result_type: Type, target: _ValueLike, *, loc: _Loc = None, ip: _Place = None
    ):
        super().__init__(result_type, _get_op_result_or_value(target), loc=loc, ip=ip)


def cast(result_type: Type, target: _ValueLike, *, loc: _Loc = None, ip: _Place = None) -> OpResult:
    """A handle as one of another type."""
    return CastOp(result_type, target, loc=loc, ip=ip).result


@_ods_cext.register_operation(_Dialect, replace=True)
class ApplyPatternsOp(_gen.ApplyPatternsOp):
    """Patterns applied to all in a target, until none does anything more."""

    def __init__(
        self,
        target: _ValueLike,
        apply_cse: bool = False,
        max_iterations: IntegerAttr | int | None = None,
        max_num_rewrites: IntegerAttr | int | None = None,
        *,
        loc: _Loc = None,
        ip: _Place = None,
    ):
        super().__init__(
            target,
            apply_cse=apply_cse,
            max_iterations=max_iterations,
            max_num_rewrites=max_num_rewrites,
            loc=loc,
            ip=ip,
        )
        self.regions[0].blocks.append()

    @property
    def patterns(self) -> Block:
        """The block in which the patterns are listed."""
        return self.regions[0].blocks[0]


def apply_patterns(
    target: _ValueLike,
    apply_cse: bool = False,
    max_iterations: IntegerAttr | int | None = None,
    max_num_rewrites: IntegerAttr | int | None = None,
    *,
    loc: _Loc = None,
    ip: _Place = None,
) -> ApplyPatternsOp:
    """Patterns applied to all in a target; they are to be put into ``patterns``."""
    return ApplyPatternsOp(target, apply_cse, max_iterations, max_num_rewrites, loc=loc, ip=ip)


@_ods_cext.register_operation(_Dialect, replace=True)
class GetParentOp(_gen.GetParentOp):
    """The operations around others."""

    def __init__(
        self,
        result_type: Type,
        target: _ValueLike,
        *,
        isolated_from_above: bool = False,
        allow_empty_results: bool = False,
        op_name: str | None = None,
        deduplicate: bool = False,
        nth_parent: int = 1,
        loc: _Loc = None,
        ip: _Place = None,
    ):
        super().__init__(
            result_type,
            _get_op_result_or_value(target),
            isolated_from_above=isolated_from_above,
            allow_empty_results=allow_empty_results,
            op_name=op_name,
            deduplicate=deduplicate,
            nth_parent=nth_parent,
            loc=loc,
            ip=ip,
        )


def get_parent_op(
    result_type: Type,
    target: _ValueLike,
    *,
    isolated_from_above: bool = False,
    allow_empty_results: bool = False,
    op_name: str | None = None,
    deduplicate: bool = False,
    nth_parent: int = 1,
    loc: _Loc = None,
    ip: _Place = None,
) -> OpResult:
    """The operations around others."""
    return GetParentOp(
        result_type,
        target,
        isolated_from_above=isolated_from_above,
        allow_empty_results=allow_empty_results,
        op_name=op_name,
        deduplicate=deduplicate,
        nth_parent=nth_parent,
        loc=loc,
        ip=ip,
    ).result


@_ods_cext.register_operation(_Dialect, replace=True)
class MergeHandlesOp(_gen.MergeHandlesOp):
    """One handle for what several stand for."""

    def __init__(
        self,
        handles: Sequence[_ValueLike],
        *,
        deduplicate: bool = False,
        results: Sequence[Type] | None = None,
        loc: _Loc = None,
        ip: _Place = None,
    ):
        super().__init__(
            [_get_op_result_or_value(handle) for handle in handles],
            deduplicate=deduplicate,
            # LLVM 19 infers their types, and takes none.
            **({} if results is None else {"results": results}),
            loc=loc,
            ip=ip,
        )


def merge_handles(
    handles: Sequence[_ValueLike],
    *,
    deduplicate: bool = False,
    results: Sequence[Type] | None = None,
    loc: _Loc = None,
    ip: _Place = None,
) -> OpResult:
    """One handle for what several stand for."""
    op = MergeHandlesOp(handles, deduplicate=deduplicate, results=results, loc=loc, ip=ip)
    return op.result


@_ods_cext.register_operation(_Dialect, replace=True)
class ReplicateOp(_gen.ReplicateOp):
    """Each handle as often as ``pattern`` stands for something."""

    def __init__(
        self,
        pattern: _ValueLike,
        handles: Sequence[_ValueLike],
        *,
        loc: _Loc = None,
        ip: _Place = None,
    ):
        values = [_get_op_result_or_value(handle) for handle in handles]
        types = [value.type for value in values]
        super().__init__(types, _get_op_result_or_value(pattern), values, loc=loc, ip=ip)


def replicate(
    pattern: _ValueLike, handles: Sequence[_ValueLike], *, loc: _Loc = None, ip: _Place = None
) -> Any:
    """Each handle as often as ``pattern`` stands for something."""
    return _results_or_op(ReplicateOp(pattern, handles, loc=loc, ip=ip))


if _typing.TYPE_CHECKING:

    class _SequenceOp(_Body, _gen.SequenceOp): ...  # type: ignore[misc]

    class _NamedSequenceOp(_Body, _gen.NamedSequenceOp): ...  # type: ignore[misc]

else:
    _SequenceOp = _gen.SequenceOp
    _NamedSequenceOp = _gen.NamedSequenceOp


@_ods_cext.register_operation(_Dialect, replace=True)
@_with_members_of(_Body)
class SequenceOp(_SequenceOp):
    """Transformations one after another."""

    def __init__(
        self,
        failure_propagation_mode: Any,
        results: Sequence[Type],
        target: _ValueLike | Type,
        extra_bindings: _Bindings = None,
        *,
        loc: _Loc = None,
        ip: _Place = None,
    ):
        """The operands that are bound to the body's arguments; at the top only the types are."""
        root = None if isinstance(target, Type) else _get_op_result_or_value(target)
        given: Any = [] if extra_bindings is None else extra_bindings
        bindings = _get_op_results_or_values(given)
        types = [each if isinstance(each, Type) else each.type for each in bindings]
        super().__init__(
            results_=results,
            failure_propagation_mode=failure_propagation_mode,
            root=root,
            extra_bindings=[each for each in bindings if not isinstance(each, Type)],
            loc=loc,
            ip=ip,
        )
        kind: Any = target if root is None else root.type
        self.regions[0].blocks.append(kind, *types)


def sequence(
    failure_propagation_mode: Any,
    results: Sequence[Type],
    target: _ValueLike | Type,
    extra_bindings: _Bindings = None,
    *,
    loc: _Loc = None,
    ip: _Place = None,
) -> Any:
    """Transformations one after another."""
    op = SequenceOp(failure_propagation_mode, results, target, extra_bindings, loc=loc, ip=ip)
    return _results_or_op(op)


@_ods_cext.register_operation(_Dialect, replace=True)
@_with_members_of(_Body)
class NamedSequenceOp(_NamedSequenceOp):
    """Transformations one after another, under a name."""

    def __init__(
        self,
        sym_name: str | SymbolRefAttr,
        input_types: Sequence[Type],
        result_types: Sequence[Type],
        *,
        sym_visibility: str | StringAttr | None = None,
        arg_attrs: _ArgumentAttributes = None,
        res_attrs: _ArgumentAttributes = None,
        loc: _Loc = None,
        ip: _Place = None,
    ):
        super().__init__(
            sym_name=sym_name,
            function_type=TypeAttr.get(FunctionType.get(input_types, result_types)),
            sym_visibility=sym_visibility,
            arg_attrs=arg_attrs,
            res_attrs=res_attrs,
            loc=loc,
            ip=ip,
        )
        self.regions[0].blocks.append(*input_types)

    def apply(
        self, payload: Module, transform_options: interpreter.TransformOptions | None = None
    ) -> Module:
        """Runs this sequence on ``payload``, which is changed and returned.

        The module that the sequence is in has to say that it has such.
        """
        assert self.parent
        mark = "transform.with_named_sequence"
        assert mark in self.parent.attributes
        assert isinstance(self.parent.attributes[mark], UnitAttr)
        interpreter.apply_named_sequence(payload, self, self.parent, transform_options)
        return payload


def named_sequence(
    sym_name: str | SymbolRefAttr,
    input_types: Sequence[Type],
    result_types: Sequence[Type],
    *,
    sym_visibility: str | StringAttr | None = None,
    arg_attrs: _ArgumentAttributes = None,
    res_attrs: _ArgumentAttributes = None,
    loc: _Loc = None,
    ip: _Place = None,
) -> NamedSequenceOp:
    """Transformations one after another, under a name."""
    return NamedSequenceOp(
        sym_name,
        input_types,
        result_types,
        sym_visibility=sym_visibility,
        arg_attrs=arg_attrs,
        res_attrs=res_attrs,
        loc=loc,
        ip=ip,
    )


@_ods_cext.register_operation(_Dialect, replace=True)
class YieldOp(_gen.YieldOp):
    """The result types of a sequence."""

    def __init__(
        self,
        operands: Operation | Sequence[Value] | None = None,
        *,
        loc: _Loc = None,
        ip: _Place = None,
    ):
        values = [] if operands is None else _get_op_results_or_values(operands)
        super().__init__(values, loc=loc, ip=ip)


def yield_(
    operands: Operation | Sequence[Value] | None = None, *, loc: _Loc = None, ip: _Place = None
) -> YieldOp:
    """The result types of a sequence."""
    return YieldOp(operands, loc=loc, ip=ip)


OptionValueTypes = Sequence["OptionValueTypes"] | Attribute | _ValueLike | str | int | bool

# In LLVM 19.
_OPTIONS_ARE_TEXT = not hasattr(_gen.ApplyRegisteredPassOp, "dynamic_options")


class _Options:
    """A pass's options as attributes; those that are known only when it runs become operands."""

    def __init__(self, context: Context | None):
        self.context = context
        self.operands: list[_ValueLike] = []

    def attribute(self, value: OptionValueTypes) -> Attribute:
        """The attribute for an option's value."""
        if isinstance(value, (Value, Operation, OpView)):
            if _OPTIONS_ARE_TEXT:
                raise NotImplementedError(
                    "options that are known only when the pass runs need LLVM 22 or later"
                )
            self.operands.append(value)
            build = AttrBuilder.get("ParamOperandAttr")
            return build(len(self.operands) - 1, self.context)
        if isinstance(value, Attribute):
            return value
        if isinstance(value, bool):
            return BoolAttr.get(value)
        if isinstance(value, int):
            return IntegerAttr.get(IntegerType.get_signless(64, self.context), value)
        if isinstance(value, str):
            return StringAttr.get(value)
        if isinstance(value, Sequence):
            return ArrayAttr.get([self.attribute(each) for each in value])
        raise TypeError(f"Unsupported option type: {type(value)}")


def _option_text(value: Attribute) -> str:
    """An option's value as the command line of a pass has it."""
    if isinstance(value, ArrayAttr):
        return ",".join(map(_option_text, value))
    if isinstance(value, (StringAttr, IntegerAttr)):
        return str(value.value)
    return str(value)


@_ods_cext.register_operation(_Dialect, replace=True)
class ApplyRegisteredPassOp(_gen.ApplyRegisteredPassOp):
    """A pass, or a pipeline with a name, run on what a handle stands for."""

    def __init__(
        self,
        result: Type,
        target: _ValueLike,
        pass_name: str | StringAttr,
        *,
        options: Mapping[str | StringAttr, OptionValueTypes] | None = None,
        loc: _Loc = None,
        ip: _Place = None,
    ):
        converted = _Options(loc.context if loc else Context.current)
        named = {
            key.value if isinstance(key, StringAttr) else key: converted.attribute(value)
            for key, value in (options or {}).items()
        }
        if _OPTIONS_ARE_TEXT:
            text = " ".join(f"{name}={_option_text(value)}" for name, value in named.items())
            super().__init__(
                result,
                _get_op_result_or_value(target),
                pass_name,
                options=text or None,
                loc=loc,
                ip=ip,
            )
            return
        super().__init__(
            result,
            _get_op_result_or_value(target),
            pass_name,
            converted.operands,
            options=DictAttr.get(named),
            loc=loc,
            ip=ip,
        )


def apply_registered_pass(
    result: Type,
    target: _ValueLike,
    pass_name: str | StringAttr,
    *,
    options: Mapping[str | StringAttr, OptionValueTypes] | None = None,
    loc: _Loc = None,
    ip: _Place = None,
) -> Value:
    """A pass, or a pipeline with a name, run on what a handle stands for."""
    return ApplyRegisteredPassOp(result, target, pass_name, options=options, loc=loc, ip=ip).result


@_ods_cext.register_operation(_Dialect, replace=True)
class ForeachOp(_gen.ForeachOp):
    """Transformations for each of the things that handles stand for."""

    def __init__(
        self,
        results: Sequence[Type],
        targets: Sequence[_ValueLike],
        *,
        with_zip_shortest: bool | None = False,
        loc: _Loc = None,
        ip: _Place = None,
    ):
        values = [_get_op_result_or_value(target) for target in targets]
        super().__init__(
            results_=results,
            targets=values,
            with_zip_shortest=with_zip_shortest,
            loc=loc,
            ip=ip,
        )
        self.regions[0].blocks.append(*(value.type for value in values))

    @property
    def body(self) -> Block:
        """The block of the body."""
        return self.regions[0].blocks[0]

    @property
    def bodyTargets(self) -> BlockArgumentList:  # upstream's name
        """Its arguments: one thing of each handle."""
        return self.body.arguments


def foreach(
    results: Sequence[Type],
    targets: Sequence[_ValueLike],
    *,
    with_zip_shortest: bool | None = False,
    loc: _Loc = None,
    ip: _Place = None,
) -> Any:
    """Transformations for each of the things that handles stand for."""
    op = ForeachOp(results, targets, with_zip_shortest=with_zip_shortest, loc=loc, ip=ip)
    return _results_or_op(op)


AnyOpTypeT = NewType("AnyOpType", AnyOpType)


def any_op_t() -> AnyOpType:
    """The type of a handle to operations."""
    return AnyOpType.get()
