//! MLIR's headers, which are compiled once for the code of a project.

use super::Case;

/// The sources from which on headers are compiled.
const SOURCES: usize = 10;

impl Case {
    /// A library of many sources besides the C API, one of which does not compile with MLIR's headers.
    fn many(keys: &str) -> Self {
        let names: Vec<String> = (0..SOURCES)
            .map(|number| format!("n{number}.cpp"))
            .collect();
        let case = Self::new().with_passes(
            "one",
            &format!(
                "include_directories(${{MLIR_INCLUDE_DIRS}})\nadd_library(many STATIC {})\n\
                 target_link_libraries(OneCAPI PUBLIC many)\n",
                names.join(" ")
            ),
            keys,
        );
        for (number, name) in names.iter().enumerate() {
            case.write(
                &format!("one/{name}"),
                &format!("int n{number}() {{ return {number}; }}\n"),
            );
        }
        case.write("one/n0.cpp", "int mlir = 3;\nint n0() { return mlir; }\n");
        case
    }

    /// Builds the project with the lock's compiler, the only one for which mondo compiles headers.
    fn is_built_by_the_lock(&self) {
        let output = self.plan().env_remove("MONDO_LLVM_DIR").output().unwrap();
        let said = String::from_utf8_lossy(&output.stderr);
        assert!(output.status.success(), "{said}");
    }

    /// The number of files with compiled headers.
    fn compiled_headers(&self) -> usize {
        let folder = self.work("llvm").join("mondo/compiled");
        let files = std::fs::read_dir(folder).into_iter().flatten().flatten();
        let names = files.map(|file| file.file_name().into_string().unwrap());
        names.filter(|name| name.ends_with(".pch")).count()
    }
}

#[test]
fn headers_are_compiled_once() {
    let case = Case::many("");
    case.is_built_by_the_lock();
    assert_eq!(case.compiled_headers(), 1);
    let archive = std::fs::metadata(case.work("one").join("build/libmany.a")).unwrap();
    assert!(archive.len() > 0);
}

#[test]
fn a_project_may_switch_them_off() {
    let case = Case::many("define = { CMAKE_DISABLE_PRECOMPILE_HEADERS = true }");
    case.is_built_by_the_lock();
    assert_eq!(case.compiled_headers(), 0);
}
