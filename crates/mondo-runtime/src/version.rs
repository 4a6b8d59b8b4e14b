//! The runtime's version, and static strings as C sees them.

use mondo_sys::MlirStringRef;

/// A string that lives as long as the library, as a C string reference.
#[must_use]
pub fn static_string(text: &'static str) -> MlirStringRef {
    MlirStringRef {
        data: text.as_ptr().cast(),
        length: text.len(),
    }
}

/// `mondoRuntimeVersion` of `mondo.h`.
#[unsafe(no_mangle)]
pub extern "C" fn mondoRuntimeVersion() -> MlirStringRef {
    static_string(env!("CARGO_PKG_VERSION"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn version_is_that_of_the_crate() {
        let version = mondoRuntimeVersion();
        // SAFETY: `data` and `length` are those of a static string.
        let bytes =
            unsafe { std::slice::from_raw_parts(version.data.cast::<u8>(), version.length) };
        assert_eq!(bytes, env!("CARGO_PKG_VERSION").as_bytes());
    }
}
