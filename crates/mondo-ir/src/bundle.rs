//! The versions of a bundle's library, and its registrations for the whole process.

use std::ffi::c_void;

use mondo_sys::{
    MlirStringRef, mondoInstallFatalErrorHandler, mondoLlvmVersion, mondoRegisterBundlePasses,
    mondoRegisterBundleTranslations, mondoRuntimeVersion,
};

use crate::c_type::CType;
use crate::callback::bytes;
use crate::text::Text;
use crate::uniquer::Uniquer;

/// The major version of the LLVM that this was compiled for.
pub const LLVM_MAJOR: u32 = mondo_sys::LLVM_VERSION_MAJOR;

/// The reason for which no function of the library may be called, if there is one: it is not the one that this was
/// linked for.
pub fn link_error() -> Option<String> {
    mondo_sys::links::error()
}

/// The path of the library.
pub fn library() -> Option<String> {
    mondo_sys::links::library()
}

/// The addresses of the parts of an extension that the bundle has: its statics `mondo_feature_<name>`, sorted by name.
#[inline]
pub fn features() -> &'static [*const c_void] {
    mondo_sys::features::table()
}

/// The version of the runtime that the library has.
pub fn runtime_version() -> Text<'static> {
    // SAFETY: `mondoRuntimeVersion` has no precondition, and returns a static string.
    unsafe { Text::of_raw(mondoRuntimeVersion()) }
}

/// The version of LLVM that the library has.
pub fn llvm_version() -> Text<'static> {
    // SAFETY: `mondoLlvmVersion` has no precondition, and returns a static string.
    unsafe { Text::of_raw(mondoLlvmVersion()) }
}

/// Registers the passes of the bundle; only the first call does anything.
pub fn register_passes() {
    // SAFETY: `mondoRegisterBundlePasses` has no precondition.
    unsafe { mondoRegisterBundlePasses() };
}

impl Uniquer<'_> {
    /// Registers the translations of the bundle with the context.
    pub fn register_translations(self) {
        // SAFETY: a `Uniquer` is of a live context, by its brand.
        unsafe { mondoRegisterBundleTranslations(self.raw()) };
    }
}

/// Has a function called with the reason before LLVM ends the process, in any thread. A handler that somebody
/// else installed stays.
pub fn on_fatal_error<F: Fn(&[u8]) + Copy + 'static>(_report: F) {
    /// # Safety
    ///
    /// The text is live.
    unsafe extern "C" fn call<F: Fn(&[u8]) + Copy + 'static>(
        reason: MlirStringRef,
        _: *mut c_void,
    ) {
        const { assert!(size_of::<F>() == 0, "a function has no data") };
        // SAFETY: `F` has no data, so that each of its values is the one that was given.
        let report = unsafe { std::mem::zeroed::<F>() };
        // SAFETY: LLVM keeps the text for the time of the call.
        report(unsafe { bytes(reason) });
    }
    // SAFETY: the handler needs no data.
    unsafe { mondoInstallFatalErrorHandler(Some(call::<F>), std::ptr::null_mut()) };
}
