//! Attacks on the safe API, each in a process of its own: a crash is a failed case and ends no other.

#![expect(
    clippy::disallowed_types,
    reason = "a test runs itself, and builds nothing"
)]

mod attack {
    pub(crate) mod depth;
    pub(crate) mod uses;
}

use std::process::Command;

/// The variable that names the case which a process is to run.
const CASE: &str = "MONDO_IR_ATTACK";

/// Runs the case in a process of its own, which is this program with that test alone.
fn attack(name: &str, case: fn()) {
    if std::env::var(CASE).is_ok_and(|wanted| wanted == name) {
        return case();
    }
    let program = std::env::current_exe().expect("the path of this program");
    let output = Command::new(program)
        .args([name, "--exact", "--nocapture", "--test-threads=1"])
        .env(CASE, name)
        .output()
        .expect("this program starts");
    let (text, errors) = (
        String::from_utf8_lossy(&output.stdout),
        String::from_utf8_lossy(&output.stderr),
    );
    assert!(output.status.success(), "{}\n{text}{errors}", output.status);
    assert!(text.contains("1 passed"), "no such case: {text}");
}

/// Defines tests that run in processes of their own.
#[macro_export]
macro_rules! cases {
    ($($(#[$doc:meta])* fn $name:ident() $body:block)+) => {
        $($(#[$doc])*
        #[test]
        fn $name() {
            let path = concat!(module_path!(), "::", stringify!($name));
            let (_, path) = path.split_once("::").expect("the crate's name");
            $crate::attack(path, || $body);
        })+
    };
}
