//! The build script's generator: names are checked, and the text does not depend on their order.

#[path = "../registration.rs"]
mod registration;

#[test]
fn every_kind_of_function_is_declared_and_tabled() {
    let source = registration::parse(
        r#"{"handles": ["mlirGetDialectHandle__func__"], "registries": ["mlirRegisterAllDialects"],
            "passes": ["mlirRegisterAllPasses"], "contexts": ["mlirRegisterAllLLVMTranslations"],
            "stub_entry_points": ["LLVMInitializeBPFTarget"], "dialects": ["scf", "func"],
            "unreachable_functions": ["_ZN1a1bEv", "_ZN1a1cEv"], "null_functions": ["_ZN1a1dEv"]}"#,
    )
    .unwrap();
    insta::assert_snapshot!(registration::generate(&source), @r##"
    unsafe extern "C" {
        fn mlirGetDialectHandle__func__() -> ::mondo_sys::MlirDialectHandle;
        fn mlirRegisterAllDialects(registry: ::mondo_sys::MlirDialectRegistry);
        fn mlirRegisterAllPasses();
        fn mlirRegisterAllLLVMTranslations(context: ::mondo_sys::MlirContext);
    }

    pub(super) static REGISTRATION: ::mondo_runtime::Registration =
        ::mondo_runtime::Registration {
            handles: &[mlirGetDialectHandle__func__],
            registries: &[mlirRegisterAllDialects],
            passes: &[mlirRegisterAllPasses],
            contexts: &[mlirRegisterAllLLVMTranslations],
            dialects: &["func", "scf"],
        };

    #[unsafe(no_mangle)]
    #[allow(non_snake_case, reason = "the name is of LLVM")]
    extern "C" fn LLVMInitializeBPFTarget() {}

    ::core::arch::global_asm!(
        r#".pushsection .text.mondo_left_out, "ax", @progbits"#,
        ".weak _ZN1a1bEv", ".hidden _ZN1a1bEv", ".type _ZN1a1bEv, @function", "_ZN1a1bEv:",
        ".weak _ZN1a1cEv", ".hidden _ZN1a1cEv", ".type _ZN1a1cEv, @function", "_ZN1a1cEv:",
        #[cfg(target_arch = "x86_64")]
        "jmp mondoLeftOut@PLT",
        #[cfg(target_arch = "aarch64")]
        "b mondoLeftOut",
        ".popsection",
    );

    ::core::arch::global_asm!(
        r#".pushsection .text.mondo_null, "ax", @progbits"#,
        ".weak _ZN1a1dEv", ".hidden _ZN1a1dEv", ".type _ZN1a1dEv, @function", "_ZN1a1dEv:",
        #[cfg(target_arch = "x86_64")]
        "xor eax, eax; ret",
        #[cfg(target_arch = "aarch64")]
        "mov x0, #0; ret",
        ".popsection",
    );
    "##);
}

#[test]
fn nothing_given_gives_empty_tables() {
    let text = registration::generate(&registration::Source::default());
    assert!(
        text.contains("handles: &[]") && text.contains("dialects: &[]"),
        "{text}"
    );
}

#[test]
fn names_that_are_not_identifiers_are_refused() {
    for text in [
        r#"{"handles": ["f(); evil"]}"#,
        r#"{"passes": [""]}"#,
        r#"{"stub_entry_points": ["1f"]}"#,
        r#"{"unreachable_functions": ["f:"]}"#,
        r#"{"null_functions": ["f\"g"]}"#,
        r#"{"dialects": ["a\"b"]}"#,
        r#"{"translations": ["llvm-ir\"\n"]}"#,
        r#"{"rust_crates": ["a-b"]}"#,
    ] {
        assert!(registration::parse(text).is_err(), "{text}");
    }
}

#[test]
fn unknown_keys_and_repeated_names_are_refused() {
    assert!(
        registration::parse(r#"{"handels": []}"#)
            .unwrap_err()
            .contains("handels")
    );
    assert!(
        registration::parse(r#"{"passes": ["f"], "handles": ["f"]}"#)
            .unwrap_err()
            .contains("twice")
    );
}
