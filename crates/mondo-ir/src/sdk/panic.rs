//! Catches a panic in a function of a dialect: it becomes an error and does not end the process.

use std::cell::RefCell;
use std::panic::{AssertUnwindSafe, PanicHookInfo, catch_unwind, set_hook, take_hook};
use std::sync::Once;

thread_local! {
    /// In a call into a dialect: what its panic said, once it has.
    static SAID: RefCell<Option<String>> = const { RefCell::new(None) };
    static DEPTH: RefCell<u32> = const { RefCell::new(0) };
}

/// Calls `function`; a panic is an error that says what the panic said, and where.
pub(crate) fn caught<T>(what: &str, function: impl FnOnce() -> T) -> Result<T, String> {
    listen();
    DEPTH.with_borrow_mut(|depth| *depth += 1);
    // Nothing that the function used is used again: only an error is made.
    let result = catch_unwind(AssertUnwindSafe(function)).map_err(|payload| {
        let said = SAID.take().unwrap_or_default();
        // A payload whose own end panics must not take the process with it.
        if let Err(again) = catch_unwind(AssertUnwindSafe(|| drop(payload))) {
            std::mem::forget(again);
        }
        format!("{what} panicked: {said}")
    });
    DEPTH.with_borrow_mut(|depth| *depth -= 1);
    result
}

/// Keeps the messages of panics in dialects for the error, instead of writing them to the standard
/// error stream; all other panics of the library go where they went.
fn listen() {
    static ONCE: Once = Once::new();
    ONCE.call_once(|| {
        let others = take_hook();
        set_hook(Box::new(move |info: &PanicHookInfo<'_>| {
            if DEPTH.with_borrow(|depth| *depth == 0) {
                return others(info);
            }
            // `panic!` makes a text that is static, or one that it has put together.
            let payload = info.payload();
            let fixed = payload.downcast_ref::<&str>().copied();
            let made = payload.downcast_ref::<String>().map(String::as_str);
            let message = fixed.or(made).unwrap_or("a non-string panic payload");
            let place = info.location().map(|at| format!(" ({at})"));
            SAID.set(Some(format!("{message}{}", place.unwrap_or_default())));
        }));
    });
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_panic_is_an_error_with_its_message_and_place() {
        let error = caught("the test", || panic!("out of {}", "cheese")).unwrap_err();
        assert!(
            error.starts_with("the test panicked: out of cheese ("),
            "{error}"
        );
        assert!(error.contains("panic.rs:"), "{error}");
        assert_eq!(caught("the test", || 3), Ok(3));
    }

    #[test]
    fn a_payload_may_panic_when_it_is_dropped() {
        struct Bomb;
        impl Drop for Bomb {
            fn drop(&mut self) {
                panic!("again");
            }
        }
        let error = caught("the test", || std::panic::panic_any(Bomb)).unwrap_err();
        assert!(
            error.starts_with("the test panicked: a non-string panic payload ("),
            "{error}"
        );
        assert_eq!(caught("the test", || 3), Ok(3));
    }

    #[test]
    fn a_panic_inside_a_caught_panic_is_its_own() {
        let outer = caught("outer", || {
            let inner = caught("inner", || panic!("first")).unwrap_err();
            panic!("second after {inner}")
        });
        let error = outer.unwrap_err();
        assert!(
            error.starts_with("outer panicked: second after inner panicked: first"),
            "{error}"
        );
    }
}
