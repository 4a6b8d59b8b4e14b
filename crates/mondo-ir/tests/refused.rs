//! Programs that must not compile, each for the reason that its `.stderr` has.

#[test]
fn what_could_dangle_does_not_compile() {
    trybuild::TestCases::new().compile_fail("tests/refused/*.rs");
}
