//! The C functions of types and attributes: a header of the C API and its implementation.
//!
//! For `TagAttr` of the dialect `toy`: `mondoToyTagAttrGet` makes one, or emits a diagnostic at its location
//! and returns null; `mondoToyTagAttrIsA`, `mondoToyTagAttrTypeID`, and for each parameter
//! `mondoToyTagAttrGetColor`, for an array with `Count` and `At`.

use std::fmt::Write as _;

use super::model::{DataClass, Kind, Parameter, camel};

/// Conversions that the implementation uses.
const TAKING: &str = include_str!("taking.h");

/// The functions of the classes of one dialect, as a header and an implementation.
pub(super) struct Functions {
    pub(super) header: String,
    pub(super) implementation: String,
}

impl Kind {
    /// The C type.
    fn c(&self) -> &'static str {
        match self {
            Self::Bool => "bool",
            Self::Integer { signed: false, .. } => "uint64_t",
            Self::Integer { .. } | Self::Enum { .. } => "int64_t",
            Self::Float => "double",
            Self::String => "MlirStringRef",
            Self::Type => "MlirType",
            Self::Attribute => "MlirAttribute",
            Self::Array(inner, _) => inner.c(),
        }
    }
}

/// Names of variables in the generated functions, which no parameter may have.
const OWN_NAMES: &[&str] = &["at", "context", "data", "i", "index", "location", "one"];

impl Parameter {
    /// Its name in C.
    fn c_name(&self) -> String {
        match self.name.as_str() {
            name if OWN_NAMES.contains(&name) => format!("{name}_"),
            name => name.to_owned(),
        }
    }

    /// The parameters of a C function that give this one.
    fn declared(&self, kind: &Kind) -> String {
        let (name, c) = (self.c_name(), kind.c());
        match kind {
            Kind::Array(..) => format!("intptr_t {name}Count, const {c} *{name}"),
            _ => format!("{c} {name}"),
        }
    }
}

/// `dialect` is MLIR's name of the dialect, `cpp` the header with its classes, and `own` the name by which
/// the header of the functions is included.
pub(super) fn functions(classes: &[DataClass], dialect: &str, cpp: &str, own: &str) -> Functions {
    let guard = format!("MONDO_{}_DATA_CLASSES_H", dialect.to_ascii_uppercase());
    let mut header = format!(
        "// Written by mondo from ODS: the types and attributes of the dialect `{dialect}`.\n\n\
         #ifndef {guard}\n#define {guard}\n\n#include \"mlir-c/IR.h\"\n#include \"mlir-c/Support.h\"\n\n\
         #ifdef __cplusplus\nextern \"C\" {{\n#endif\n"
    );
    let mut text = format!("#include \"{own}\"\n#include \"{cpp}\"\n\n{TAKING}\n");
    for class in classes {
        let mut functions = Vec::new();
        functions.push(is_a(class));
        functions.push(type_id(class));
        if class.can_be_made() {
            functions.push(get(class, dialect));
        }
        if class.has_accessors {
            for parameter in &class.parameters {
                if let Some(kind) = &parameter.kind {
                    functions.extend(accessors(class, parameter, kind));
                }
            }
        }
        // Names in ODS are written as C++ in the dialect's namespace sees them.
        let (open, close) = match class.namespace.as_str() {
            "" => (String::new(), ""),
            name => (format!("namespace {name} {{"), "} // namespace"),
        };
        let _ = writeln!(text, "\n{open}");
        for (declaration, body) in functions {
            let _ = writeln!(header, "\nMLIR_CAPI_EXPORTED {declaration};");
            let _ = writeln!(
                text,
                "extern \"C\" {declaration} {{\n  using namespace ::mlir;\n{body}}}"
            );
        }
        let _ = writeln!(text, "{close}");
    }
    header.push_str("\n#ifdef __cplusplus\n}\n#endif\n\n#endif\n");
    Functions {
        header,
        implementation: text,
    }
}

fn handle(class: &DataClass) -> &'static str {
    if class.is_type {
        "MlirType"
    } else {
        "MlirAttribute"
    }
}

fn is_a(class: &DataClass) -> (String, String) {
    let declaration = format!("bool {}IsA({} data)", class.prefix, handle(class));
    let body = format!(
        "  return ::llvm::isa_and_nonnull<{}>(unwrap(data));\n",
        class.cpp
    );
    (declaration, body)
}

fn type_id(class: &DataClass) -> (String, String) {
    let declaration = format!("MlirTypeID {}TypeID(void)", class.prefix);
    (
        declaration,
        format!("  return wrap({}::getTypeID());\n", class.cpp),
    )
}

fn get(class: &DataClass, dialect: &str) -> (String, String) {
    let mut declaration = format!(
        "{} {}Get(MlirLocation location",
        handle(class),
        class.prefix
    );
    let mut body = format!(
        "  ::mlir::Location at = unwrap(location);\n  [[maybe_unused]] ::mlir::MLIRContext *context = \
         at.getContext();\n  if (!::mondo_data::loaded(at, \"{dialect}\"))\n    return {{nullptr}};\n"
    );
    let mut arguments = Vec::new();
    if !class.infers_context {
        arguments.push("context".to_owned());
    }
    for (index, parameter) in class.parameters.iter().enumerate() {
        let Some(kind) = &parameter.kind else {
            continue;
        };
        let _ = write!(declaration, ", {}", parameter.declared(kind));
        let value = format!("value{index}");
        taken(&mut body, parameter, kind, &value);
        arguments.push(match kind {
            Kind::Array(_, element) => format!("::llvm::ArrayRef<{element}>({value})"),
            _ => value,
        });
    }
    declaration.push(')');
    let arguments = arguments.join(", ");
    let instance = if class.verified {
        format!(
            "{}::getChecked([&] {{ return ::mlir::emitError(at); }}, {arguments})",
            class.cpp
        )
    } else {
        format!("{}::get({arguments})", class.cpp)
    };
    let base = if class.is_type {
        "::mlir::Type"
    } else {
        "::mlir::Attribute"
    };
    let _ = writeln!(body, "  return wrap({base}({instance}));");
    (declaration, body)
}

/// Appends the code that converts the C parameter into the C++ variable `value`.
fn taken(body: &mut String, parameter: &Parameter, kind: &Kind, value: &str) {
    let (name, given, cpp) = (&parameter.name, parameter.c_name(), &parameter.cpp);
    let take = |kind: &Kind, from: &str, to: &str| match kind {
        Kind::Enum { symbolize, .. } => format!(
            "::mondo_data::choose(at, \"{name}\", {from}, [](int64_t it) {{ return \
             {symbolize}(it); }}, {to})"
        ),
        _ => format!("::mondo_data::take(at, \"{name}\", {from}, {to})"),
    };
    match kind {
        Kind::Array(inner, element) => {
            let take = take(inner, &format!("{given}[i]"), "one");
            let _ = writeln!(
                body,
                "  ::llvm::SmallVector<{element}> {value};\n  for (intptr_t i = 0; i < {given}Count; ++i) {{\n    \
                 {element} one{};\n    if (!{take})\n      return {{nullptr}};\n    \
                 {value}.push_back(one);\n  }}",
                initial(inner, element)
            );
        }
        kind => {
            let _ = writeln!(
                body,
                "  {cpp} {value}{};\n  if (!{})\n    return {{nullptr}};",
                initial(kind, cpp),
                take(kind, &given, value)
            );
            if let (Kind::Type | Kind::Attribute, Some(default)) = (kind, &parameter.default) {
                let _ = writeln!(body, "  if (!{value})\n    {value} = {default};");
            }
        }
    }
}

/// The initializer of a variable before its value is known.
fn initial(kind: &Kind, cpp: &str) -> &'static str {
    match kind {
        Kind::Float if cpp.ends_with("APFloat") => "(0.0)",
        _ => "{}",
    }
}

fn accessors(class: &DataClass, parameter: &Parameter, kind: &Kind) -> Vec<(String, String)> {
    let (prefix, handle, cpp) = (&class.prefix, handle(class), &class.cpp);
    let name = camel(&parameter.name);
    let value = format!("::llvm::cast<{cpp}>(unwrap(data)).get{name}()");
    let returned = |kind: &Kind, value: String| {
        let c = kind.c();
        match kind {
            Kind::Type => {
                format!("  return ::mondo_data::handle<::mlir::Type, MlirType>({value});\n")
            }
            Kind::Attribute => format!(
                "  return ::mondo_data::handle<::mlir::Attribute, MlirAttribute>({value});\n"
            ),
            Kind::Float | Kind::String => format!("  return ::mondo_data::give({value});\n"),
            _ => format!("  return static_cast<{c}>({value});\n"),
        }
    };
    let c = kind.c();
    let Kind::Array(inner, _) = kind else {
        let declaration = format!("{c} {prefix}Get{name}({handle} data)");
        return vec![(declaration, returned(kind, value))];
    };
    vec![
        (
            format!("intptr_t {prefix}Get{name}Count({handle} data)"),
            format!("  return static_cast<intptr_t>({value}.size());\n"),
        ),
        (
            format!("{c} {prefix}Get{name}At({handle} data, intptr_t index)"),
            returned(inner, format!("{value}[static_cast<size_t>(index)]")),
        ),
    ]
}
