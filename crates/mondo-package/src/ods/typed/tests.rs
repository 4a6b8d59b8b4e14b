use std::collections::{BTreeMap, BTreeSet};

use insta::assert_snapshot;

use super::{annotate, hide_overridden};

const OPERATIONS: &str = r#"
# As mlir-tblgen writes it.

from ._ods_common import _cext as _ods_cext
_ods_ir = _ods_cext.ir

import builtins
from typing import Optional as _Optional

@_ods_cext.register_operation(_Dialect)
class AddOp(_ods_ir.OpView):
  r"""
  Adds `lhs`, i.e. a number,
  and others. Further text.
  """

  OPERATION_NAME = "toy.add"

  def __init__(self, sums, out, lhs, others, fieldWidth, dest, num_rest, hint, *, kind=None, note=None, flag=None, results=None, loc=None, ip=None):
    operands = []
    attributes = {}
    regions = 1 + num_rest
    operands.append(lhs)
    operands.extend(_get_op_results_or_values(others))
    attributes["fieldWidth"] = (fieldWidth if (
    isinstance(fieldWidth, _ods_ir.Attribute) or
    not _ods_ir.AttrBuilder.contains('I32Attr')) else
      _ods_ir.AttrBuilder.get('I32Attr')(fieldWidth, context=_ods_context))
    if kind is not None: attributes["kind"] = (kind if (
        isinstance(kind, _ods_ir.Attribute) or
        not _ods_ir.AttrBuilder.contains('Toy_KindAttr')) else
          _ods_ir.AttrBuilder.get('Toy_KindAttr')(kind, context=_ods_context))
    if note is not None: attributes["note"] = note
    if bool(flag): attributes["flag"] = _ods_ir.UnitAttr.get(
      _ods_get_default_loc_context(loc))
    if results is None: results = [operands[0].type] * 2
    results = []
    results.extend(sums)
    results.append(out)
    _ods_successors = []
    _ods_successors.append(dest)
    super().__init__(self.OPERATION_NAME)

  @builtins.property
  def lhs(self) -> _ods_ir.Value:
    return self.operation.operands[0]

  @flag.setter
  def flag(self, value):
    pass

def add(sums, out, lhs, others, field_width, dest, num_rest, hint, *, kind=None, note=None, flag=None, results=None, loc=None, ip=None) -> _ods_ir.OpResultList:
  return AddOp(sums=sums, out=out, lhs=lhs, others=others, fieldWidth=field_width, dest=dest, num_rest=num_rest, hint=hint, kind=kind, note=note, flag=flag, results=results, loc=loc, ip=ip).results

@_ods_cext.register_operation(_Dialect)
class EndOp(_ods_ir.OpView):
  OPERATION_NAME = "toy.end"

  def __init__(self, *, loc=None, ip=None):
    super().__init__(self.OPERATION_NAME)

def end(*, loc=None, ip=None) -> EndOp:
  return EndOp(loc=loc, ip=ip)
"#;

const ENUMS: &str = r#"
from enum import IntEnum, auto, IntFlag

class Kind(IntFlag):
    """The kinds"""

    def __iter__(self):
        return iter([])

    def __str__(self):
        return "none"

@register_attribute_builder("Toy_KindAttr")
def _toy_kindattr(x, context):
    return _ods_ir.Attribute.parse(f'#toy<kind {str(x)}>', context=context)
"#;

fn annotated() -> BTreeMap<String, String> {
    let mut modules = BTreeMap::from([
        ("_toy_ops_gen".to_owned(), OPERATIONS.to_owned()),
        ("_toy_enum_gen".to_owned(), ENUMS.to_owned()),
    ]);
    annotate(&mut modules);
    modules
}

/// The lines that are not as mlir-tblgen wrote them.
fn changed(before: &str, after: &str) -> String {
    let before: BTreeSet<&str> = before.lines().collect();
    let lines = after.lines().filter(|line| !before.contains(line));
    lines.collect::<Vec<_>>().join("\n")
}

#[test]
fn parameters_have_types_and_functions_docstrings() {
    let modules = annotated();
    assert_snapshot!(changed(OPERATIONS, &modules["_toy_ops_gen"]), @r#"
    from ._ods_common import _attribute as _ods_attribute, _operands as _ods_operands, _types_like as _ods_types_like
    import typing as _typing
    if _typing.TYPE_CHECKING:
        from . import _ods_types as _t
    else:
        from ._ods_common import annotations_of_stubs as _t
      def __init__(self, sums: _t.Types, out: _ods_ir.Type, lhs: _t.Operand, others: _t.Operands, fieldWidth: _t.Int, dest: _ods_ir.Block, num_rest: builtins.int, hint: builtins.object, *, kind: _t.Case | None = None, note: _t.Attr | None = None, flag: builtins.bool | None = None, results: _t.Types | None = None, loc: _t.Loc = None, ip: _t.Place = None):
        operands.extend(_ods_operands(others))
        attributes["fieldWidth"] = _ods_attribute(fieldWidth, 'I32Attr', _ods_context)
        if kind is not None: attributes["kind"] = _ods_attribute(kind, 'Toy_KindAttr', _ods_context)
        if results is None: results = _ods_types_like(operands[0], 2)
      def flag(self, value: builtins.bool):
    def add(sums: _t.Types, out: _ods_ir.Type, lhs: _t.Operand, others: _t.Operands, field_width: _t.Int, dest: _ods_ir.Block, num_rest: builtins.int, hint: builtins.object, *, kind: _t.Case | None = None, note: _t.Attr | None = None, flag: builtins.bool | None = None, results: _t.Types | None = None, loc: _t.Loc = None, ip: _t.Place = None) -> _ods_ir.OpResultList:
      r"""Builds `toy.add`: Adds `lhs`, i.e. a number, and others."""
      """The operation `toy.end`."""
      def __init__(self, *, loc: _t.Loc = None, ip: _t.Place = None):
    def end(*, loc: _t.Loc = None, ip: _t.Place = None) -> EndOp:
      """Builds `toy.end`."""
    "#);
}

#[test]
fn modules_of_dialects_in_rust_are_annotated_as_well() {
    let text = include_str!("../described/sample_ops_gen.py.expected");
    let mut modules = BTreeMap::from([("_sample_ops_gen".to_owned(), text.to_owned())]);
    annotate(&mut modules);
    let text = &modules["_sample_ops_gen"];
    let add = "def add(lhs: _t.Operand, rhs: _t.Operand, *, results: _t.Types | None = None, \
               loc: _t.Loc = None, ip: _t.Place = None) -> _ods_ir.OpResult:\n    \
               \"\"\"Builds `sample.add`: A sum.\"\"\"\n";
    assert!(text.contains(add), "{text}");
    let several = "operands_: _t.Operands, last: _t.Operand, in_: _t.Str, *, note: _t.Attr | None";
    assert_eq!(text.matches(several).count(), 2, "{text}");
}

#[test]
fn methods_of_enums_have_results() {
    let modules = annotated();
    assert_snapshot!(changed(ENUMS, &modules["_toy_enum_gen"]), @r#"
    from collections.abc import Iterator as _Iterator
        def __iter__(self) -> "_Iterator[Kind]":
        def __str__(self) -> str:
    "#);
}

#[test]
fn a_text_of_another_form_stays() {
    let mut modules = BTreeMap::from([("_toy_ops_gen".to_owned(), "class A:\n  pass".to_owned())]);
    let before = modules.clone();
    annotate(&mut modules);
    assert_eq!(modules, before);
}

#[test]
fn checkers_do_not_see_what_modules_by_hand_define_again() {
    let by_hand = |text: &str| BTreeMap::from([("toy.py".to_owned(), text.to_owned())]);
    let before = annotated();
    let hidden = |by_hand: &BTreeMap<String, String>| {
        let mut after = before.clone();
        hide_overridden(&mut after, by_hand);
        let lines = changed(&before["_toy_ops_gen"], &after["_toy_ops_gen"]);
        lines.trim_start().to_owned()
    };
    let source = "from ._toy_ops_gen import *\n\nclass AddOp(_gen.AddOp):\n    pass\nsum = add\n";
    assert_snapshot!(hidden(&by_hand(source)), @r#"__all__ = ["EndOp", "add", "end"]"#);
    let passed_on = BTreeMap::from([
        (
            "toy/__init__.py".to_owned(),
            "from .._toy_ops_gen import *\nif x:\n    from .more.lang import *\n".to_owned(),
        ),
        (
            "toy/more/lang/__init__.py".to_owned(),
            "from .add import *\n".to_owned(),
        ),
        (
            "toy/more/lang/add.py".to_owned(),
            "def add():\n    pass\n".to_owned(),
        ),
    ]);
    assert_snapshot!(hidden(&passed_on), @r#"__all__ = ["AddOp", "EndOp", "end"]"#);
    // The first definition does not count, nor what is named otherwise.
    let before_it = by_hand("def add():\n    pass\nfrom ._toy_ops_gen import *\n");
    assert_eq!(hidden(&before_it), "");
    let unrelated = by_hand("from ._toy_ops_gen import *\ndef other():\n    pass\n");
    assert_eq!(hidden(&unrelated), "");
}
