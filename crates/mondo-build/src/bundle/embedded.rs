//! The parts of MLIR's own Python package that projects embed and that a bundle lacks.

use mondo_plan::plan::Plan;
use mondo_project::Prepared;

/// The relation of a bundle to a group of MLIR's Python package.
#[derive(Debug, PartialEq, Eq)]
enum Group {
    /// The bundle has its modules.
    Present,
    /// It lacks the modules of these dialects.
    Dialects(Vec<String>),
    /// It has no execution engine.
    Engine,
    /// It does not have all of MLIR's dialects to register.
    Everything,
    /// MLIR's package has no such group.
    Unknown,
}

/// For each kind of group that a project embeds and the bundle lacks, one sentence for the report.
pub(super) fn notes(one: &Prepared, plan: &Plan) -> Vec<String> {
    let name = &one.name;
    let (mut dialects, mut unknown, mut notes) = (Vec::new(), Vec::new(), Vec::new());
    let mut engine = false;
    for embedded in &one.embedded {
        match group(embedded, plan) {
            Group::Present => {}
            Group::Dialects(names) => dialects.extend(names),
            Group::Engine => engine = true,
            Group::Everything => notes.push(format!(
                "the project `{name}` embeds {embedded}, which registers all of MLIR's \
                 dialects and passes, but this bundle registers only those in `contents`; use \
                 `@all` to register all of them"
            )),
            Group::Unknown => unknown.push(embedded.as_str()),
        }
    }
    if engine {
        notes.push(format!(
            "the project `{name}` embeds the execution engine, which this bundle lacks: set \
             `contents.execution-engine = true`"
        ));
    }
    dialects.sort();
    dialects.dedup();
    if !dialects.is_empty() {
        notes.push(format!(
            "the project `{name}` embeds the Python of dialects that this bundle lacks: {}; add them to \
             `contents.dialects`",
            dialects.join(", ")
        ));
    }
    if !unknown.is_empty() {
        notes.push(format!(
            "the project `{name}` embeds groups that neither it nor MLIR's Python package \
             defines, so the bundle omits them: {}",
            unknown.join(", ")
        ));
    }
    notes
}

fn group(name: &str, plan: &Plan) -> Group {
    let Some((_, rest)) = name.split_once('.') else {
        return match name {
            "MLIRPythonSources" => Group::Present,
            _ => Group::Unknown,
        };
    };
    let mut parts = rest.split('.');
    match (parts.next().unwrap_or_default(), parts.next()) {
        ("Core" | "MLIRPythonSupport" | "HeaderSources", _) | ("Dialects", None) => Group::Present,
        ("ExecutionEngine", _) if plan.execution_engine => Group::Present,
        ("ExecutionEngine", _) => Group::Engine,
        ("RegisterEverything", _) if plan.excluded.dialects.is_empty() => Group::Present,
        ("RegisterEverything", _) => Group::Everything,
        ("Dialects", Some(dialect)) => of_dialect(dialect, plan),
        // The passes of one dialect: `MLIRPythonExtension.LinalgPasses`.
        (other, _) => {
            let ends = ["DialectPasses", "Passes", "Interpreter"];
            let dialect = ends.iter().find_map(|end| other.strip_suffix(end));
            dialect.map_or(Group::Unknown, |name| of_dialect(name, plan))
        }
    }
}

/// The group of a dialect. The dialect's name may be spelt as in groups of sources (`sparse_tensor`) or of extensions
/// (`SparseTensor`), or be that of operations which another library adds to it (`gpu_transform`).
fn of_dialect(name: &str, plan: &Plan) -> Group {
    let wanted = plain(name);
    let has = plan.dialects.iter().any(|dialect| {
        let module = dialect.python.as_deref().unwrap_or(&dialect.name);
        plain(&dialect.name) == wanted
            || plain(module) == wanted
            || dialect
                .extensions
                .iter()
                .any(|extension| extension.name == name)
    });
    if has {
        return Group::Present;
    }
    let excluded = &plan.excluded;
    let mut others = excluded.dialects.iter();
    let other =
        others.find(|(module, dialect)| plain(module) == wanted || plain(dialect) == wanted);
    if let Some((_, dialect)) = other {
        return Group::Dialects(vec![dialect.clone()]);
    }
    let added = name
        .strip_suffix("_transform")
        .or_else(|| name.strip_prefix("transform_")?.strip_suffix("_extension"));
    let Some(added) = added else {
        return Group::Unknown;
    };
    if let Some(missing) = excluded.modules.get(&format!("transform.{added}")) {
        return Group::Dialects(missing.clone());
    }
    match excluded.dialects.get("transform") {
        Some(transform) => Group::Dialects(vec![transform.clone()]),
        None => Group::Unknown,
    }
}

/// The form of a name that all its spellings share.
fn plain(name: &str) -> String {
    name.replace('_', "").to_ascii_lowercase()
}

#[cfg(test)]
mod tests {
    use super::*;
    use mondo_plan::catalogue::Catalogue;
    use mondo_plan::{manifest, plan};

    fn with(contents: &str) -> Plan {
        let text = format!(
            "manifest = 1\n[package]\ndistribution = \"a\"\nlicense = \"MIT\"\n[llvm]\nversion = \"22\"\n\
             targets = [\"native\"]\n[contents]\n{contents}\n"
        );
        let manifest = manifest::parse(&text, "bundle.toml".into()).unwrap();
        let catalogue = Catalogue::upstream().unwrap();
        plan::resolve(&manifest, &catalogue, &[], "x86_64").unwrap()
    }

    #[test]
    fn groups_are_known_by_what_a_bundle_needs_for_them() {
        let small = with("dialects = [\"func\"]");
        for (name, expected) in [
            ("MLIRPythonSources", Group::Present),
            ("MLIRPythonSources.Core.Python.Extras", Group::Present),
            ("MLIRPythonSources.Dialects", Group::Present),
            ("MLIRPythonExtension.MLIRPythonSupport", Group::Present),
            ("MLIRPythonSources.Dialects.func", Group::Present),
            ("MLIRPythonSources.ExecutionEngine", Group::Engine),
            ("MLIRPythonExtension.ExecutionEngine", Group::Engine),
            ("MLIRPythonExtension.RegisterEverything", Group::Everything),
            ("MLIRPythonSources.Nonsense", Group::Unknown),
            ("MLIRPythonSources.Dialects.nonsense", Group::Unknown),
        ] {
            assert_eq!(group(name, &small), expected, "{name}");
        }
        for (name, dialect) in [
            ("MLIRPythonSources.Dialects.scf", "scf"),
            ("MLIRPythonSources.Dialects.async", "async"),
            ("MLIRPythonSources.Dialects.transform.extras", "transform"),
            ("MLIRPythonSources.Dialects.loop_transform", "transform"),
            ("MLIRPythonExtension.Dialects.GPU.Nanobind", "gpu"),
            (
                "MLIRPythonExtension.Dialects.SparseTensor.Pybind",
                "sparse_tensor",
            ),
            (
                "MLIRPythonExtension.SparseTensorDialectPasses",
                "sparse_tensor",
            ),
            ("MLIRPythonExtension.TransformInterpreter", "transform"),
        ] {
            let expected = Group::Dialects(vec![dialect.to_owned()]);
            assert_eq!(group(name, &small), expected, "{name}");
        }
        let some = with("dialects = [\"transform\"]");
        let name = "MLIRPythonSources.Dialects.gpu_transform";
        assert!(
            matches!(group(name, &some), Group::Dialects(names) if names.contains(&"gpu".to_owned()))
        );
        let name = "MLIRPythonSources.Dialects.transform_debug_extension";
        assert_eq!(group(name, &some), Group::Present);
        let all = with("dialects = [\"@all\"]\nexecution-engine = true");
        for name in [
            "MLIRPythonExtension.RegisterEverything",
            "MLIRPythonSources.ExecutionEngine",
            "MLIRPythonSources.Dialects.structured_transform",
            "MLIRPythonExtension.Dialects.LLVM.Pybind",
        ] {
            assert_eq!(group(name, &all), Group::Present, "{name}");
        }
    }
}
