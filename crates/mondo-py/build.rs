//! Sets the `cfg`s of the Python that this is built for, above all `Py_GIL_DISABLED`, and `llvm_before` for
//! the version of LLVM.

fn main() {
    pyo3_build_config::use_pyo3_cfgs();
    println!("cargo::rerun-if-changed=build.rs");
    println!("cargo::rustc-check-cfg=cfg(llvm_before, values(\"22\", \"23\"))");
    // mondo-ir's build script sets this variable.
    let major = std::env::var("DEP_MONDO_IR_LLVM_MAJOR").unwrap_or_default();
    for newer in [22, 23] {
        if major.parse::<u32>().is_ok_and(|major| major < newer) {
            println!("cargo::rustc-cfg=llvm_before=\"{newer}\"");
        }
    }
}
