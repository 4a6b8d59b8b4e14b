//! Generated operations in the form that LLVM 22 and older write them in. Newer ones annotate parameters, name the types in lists of
//! values, and add a class for the operands of each operation in a conversion (`OpAdaptor`). The annotations for type checkers are mondo's own, and the
//! adaptors are made when a module is imported (`adaptors.rs`).

/// The line before the class of an operation's operands.
const ADAPTOR: &str = "@_ods_cext.register_op_adaptor(";

/// The line before a function that makes attributes.
const BUILDER: &str = "@register_attribute_builder(";

/// The end of such a line if the first function of a name stays. LLVM 22 and older do not write it.
const SHARED: &str = ", allow_existing=True)";

/// The module without what newer LLVMs add.
pub(super) fn plain(python: &str) -> String {
    let mut out = String::with_capacity(python.len());
    let mut in_adaptor = false;
    for line in python.lines() {
        let begins = line.starts_with(['@', '_', 'd', 'c']);
        if line.starts_with(ADAPTOR) {
            in_adaptor = true;
        } else if begins && !(in_adaptor && line.starts_with("class ")) {
            in_adaptor = false;
        }
        if in_adaptor {
            continue;
        }
        match line.starts_with("def ") || line.starts_with("  def __init__(") {
            true => out.push_str(&without_types_of_lists(&without_parameter_types(line))),
            false => out.push_str(&without_types_of_lists(line)),
        }
        out.push('\n');
    }
    out
}

/// The module of enumerations, whose attributes may have been registered by another one. From LLVM 23 on, NVGPU's ODS has
/// enumerations of NVVM too, and both dialects would register `nvvm.FPRoundingModeAttr`.
pub(super) fn shared_builders(python: &str) -> String {
    if !python.contains(SHARED) {
        return python.to_owned();
    }
    let mut out = String::with_capacity(python.len());
    for line in python.lines() {
        match line.strip_suffix(')') {
            Some(call) if line.starts_with(BUILDER) && !line.contains(SHARED) => {
                out.push_str(call);
                out.push_str(SHARED);
            }
            _ => out.push_str(line),
        }
        out.push('\n');
    }
    out
}

/// `def f(a: A, *, b: B = None) -> C:` as `def f(a, *, b=None) -> C:`.
fn without_parameter_types(line: &str) -> String {
    let mut out = String::with_capacity(line.len());
    let mut depth = 0_usize;
    let mut in_type = false;
    let mut rest = line.char_indices();
    while let Some((at, c)) = rest.next() {
        match c {
            '(' | '[' => depth += 1,
            ')' | ']' => depth = depth.saturating_sub(1),
            _ => {}
        }
        let ends = (depth == 1 && (c == ',' || c == '=')) || depth == 0;
        if in_type && ends {
            in_type = false;
            if c == '=' {
                // Types are separated from defaults by spaces.
                out.push('=');
                rest.next();
                continue;
            }
        }
        if depth == 1 && c == ':' {
            in_type = true;
        }
        if depth == 0 && c == ')' {
            out.push_str(&line[at..]);
            return out;
        }
        if !in_type {
            out.push(c);
        }
    }
    out
}

/// The lists whose classes take no type.
const LISTS: [&str; 2] = ["_ods_ir.OpOperandList[", "_ods_ir.OpResultList["];

/// The line with `_ods_ir.OpOperandList` for `_ods_ir.OpOperandList[…]`.
fn without_types_of_lists(line: &str) -> String {
    let mut line = line.to_owned();
    for list in LISTS {
        while let Some(at) = line.find(list) {
            let begin = at + list.len() - 1;
            let mut depth = 0_usize;
            let end = line[begin..].find(|c: char| {
                match c {
                    '[' => depth += 1,
                    ']' => depth = depth.saturating_sub(1),
                    _ => {}
                }
                depth == 0
            });
            let end = end.map_or(line.len(), |end| begin + end + 1);
            line.replace_range(begin..end, "");
        }
    }
    line
}

#[cfg(test)]
mod tests {
    use super::*;

    const NEW: &str = "\
@_ods_cext.register_operation(_Dialect)
class ForOp(_ods_ir.OpView):
  def __init__(self, lb: _ods_ir.Value[_ods_ir.IndexType], *, step: _Optional[_Union[int, _ods_ir.IntegerAttr]] = None, loc: _Optional[_ods_ir.Location] = None):
    super().__init__(regions=regions, loc=loc)

  @builtins.property
  def lb(self) -> _ods_ir.Value[_ods_ir.IndexType]:
    return self.operation.operands[0]

  @builtins.property
  def sizes(self) -> _Union[_ods_ir.OpOperandList[_ods_ir.Value[_ods_ir.IndexType]], None]:
    return self.operation.operands[0:2]

  @step.setter
  def step(self, value: _ods_ir.IntegerAttr):
    attributes[\"step\"] = value

@_ods_cext.register_op_adaptor(ForOp)
class ForOpAdaptor(_ods_ir.OpAdaptor):
  OPERATION_NAME = \"a.for\"

def for_(lb: _ods_ir.Value, *, step: _Union[_Any, _ods_ir.Attribute] = None) -> _Union[_ods_ir.OpResult[_ods_ir.Type], ForOp]:
  return ForOp(lb=lb, step=step)
";

    const OLD: &str = "\
@_ods_cext.register_operation(_Dialect)
class ForOp(_ods_ir.OpView):
  def __init__(self, lb, *, step=None, loc=None):
    super().__init__(regions=regions, loc=loc)

  @builtins.property
  def lb(self) -> _ods_ir.Value[_ods_ir.IndexType]:
    return self.operation.operands[0]

  @builtins.property
  def sizes(self) -> _Union[_ods_ir.OpOperandList, None]:
    return self.operation.operands[0:2]

  @step.setter
  def step(self, value: _ods_ir.IntegerAttr):
    attributes[\"step\"] = value

def for_(lb, *, step=None) -> _Union[_ods_ir.OpResult[_ods_ir.Type], ForOp]:
  return ForOp(lb=lb, step=step)
";

    #[test]
    fn builders_of_other_dialects_are_registered_once() {
        let new = "@register_attribute_builder(\"A\", allow_existing=True)\n\
                   def _a(x): pass\n\
                   @register_attribute_builder(\"d.A\")\n";
        let shared = new.replace("\"d.A\")", "\"d.A\", allow_existing=True)");
        assert_eq!(shared_builders(new), shared);
        let old = "@register_attribute_builder(\"d.A\")\n";
        assert_eq!(shared_builders(old), old);
    }

    #[test]
    fn the_newer_form_becomes_the_older_one_which_stays() {
        assert_eq!(plain(NEW), OLD);
        assert_eq!(plain(OLD), OLD);
    }
}
