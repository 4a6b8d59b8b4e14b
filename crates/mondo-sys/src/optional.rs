//! Functions of the C API that not every bundle has.
//!
//! One compiled extension serves all bundles of the same dialects, so it must not refer to them by
//! name: the loader would refuse it beside a library without them. They are looked up in that library
//! instead, by name, once the extension is loaded. A program with the static library in itself finds them in a
//! table there.

use std::ffi::{CStr, c_int, c_void};
use std::sync::OnceLock;

use crate::{
    MlirExecutionEngine, MlirModule, MlirStringRef, mlirExecutionEngineCreate,
    mlirExecutionEngineDestroy, mlirExecutionEngineDumpToObjectFile, mlirExecutionEngineLookup,
    mlirExecutionEngineLookupPacked, mlirExecutionEngineRegisterSymbol,
};

#[cfg(not(llvm_before = "22"))]
use crate::mlirExecutionEngineInitialize;

/// A table of functions that a bundle has all of, or none.
macro_rules! optional {
    (
        $(#[$doc:meta])*
        $table:ident, $get:ident {
            $($(#[$field_doc:meta])* $field:ident = $function:ident: $type:ty $(, since $major:tt)?;)+
        }
    ) => {
        $(#[$doc])*
        #[derive(Debug, Clone, Copy)]
        pub struct $table {
            $($(#[cfg(not(llvm_before = $major))])? $(#[$field_doc])* pub $field: $type,)+
        }

        // The headers' own declarations have these types. A constant that nothing uses leaves no
        // reference in the object file.
        $($(#[cfg(not(llvm_before = $major))])? const _: $type = $function;)+

        /// The functions, if the bundle has them.
        pub fn $get() -> Option<&'static $table> {
            static FOUND: OnceLock<Option<$table>> = OnceLock::new();
            FOUND.get_or_init(|| {
                Some($table {
                    $($(#[cfg(not(llvm_before = $major))])? $field: {
                        let name = CStr::from_bytes_with_nul(
                            concat!(stringify!($function), "\0").as_bytes(),
                        );
                        let address = function(name.ok()?)?;
                        // SAFETY: the library was made with the header whose declaration of this
                        // function has the same type, as is checked above. It is never unloaded
                        // while we are here, since we need it.
                        unsafe { std::mem::transmute::<*mut c_void, $type>(address) }
                    },)+
                })
            })
            .as_ref()
        }
    };
}

#[cfg(not(llvm_before = "22"))]
type CreateEngine = unsafe extern "C" fn(
    MlirModule,
    c_int,
    c_int,
    *const MlirStringRef,
    bool,
    bool,
) -> MlirExecutionEngine;
#[cfg(llvm_before = "22")]
type CreateEngine = unsafe extern "C" fn(
    MlirModule,
    c_int,
    c_int,
    *const MlirStringRef,
    bool,
) -> MlirExecutionEngine;

optional! {
    /// The functions of `mlir-c/ExecutionEngine.h`.
    ExecutionEngineApi, execution_engine {
        /// Compiles a module; null if that fails.
        create = mlirExecutionEngineCreate: CreateEngine;
        /// Runs the global constructors, once.
        initialize = mlirExecutionEngineInitialize: unsafe extern "C" fn(MlirExecutionEngine),
            since "22";
        /// Destroys an engine and its code.
        destroy = mlirExecutionEngineDestroy: unsafe extern "C" fn(MlirExecutionEngine);
        /// The address of a function that takes its arguments packed; null if there is none.
        lookup_packed = mlirExecutionEngineLookupPacked: unsafe extern "C" fn(
            MlirExecutionEngine, MlirStringRef,
        ) -> *mut c_void;
        /// The address of a symbol; null if there is none.
        lookup = mlirExecutionEngineLookup: unsafe extern "C" fn(
            MlirExecutionEngine, MlirStringRef,
        ) -> *mut c_void;
        /// Gives a symbol that is defined nowhere an address.
        register_symbol = mlirExecutionEngineRegisterSymbol: unsafe extern "C" fn(
            MlirExecutionEngine, MlirStringRef, *mut c_void,
        );
        /// Writes the compiled code to a file.
        dump_to_object_file = mlirExecutionEngineDumpToObjectFile: unsafe extern "C" fn(
            MlirExecutionEngine, MlirStringRef,
        );
    }
}

#[cfg(llvm_before = "22")]
impl ExecutionEngineApi {
    /// Compiles a module; null if that fails. The code is never position independent.
    ///
    /// # Safety
    ///
    /// The module is live, and there are as many paths as it says.
    pub unsafe fn create(
        &self,
        module: MlirModule,
        level: c_int,
        path_count: c_int,
        paths: *const MlirStringRef,
        enable_object_dump: bool,
        _enable_pic: bool,
    ) -> MlirExecutionEngine {
        // SAFETY: the caller vouches for the module and the paths.
        unsafe { (self.create)(module, level, path_count, paths, enable_object_dump) }
    }

    /// Does nothing: creating an engine has run the global constructors.
    ///
    /// # Safety
    ///
    /// There is no precondition; a newer LLVM's has that the engine is live.
    pub unsafe fn initialize(&self, _engine: MlirExecutionEngine) {}
}

#[cfg(not(llvm_before = "22"))]
impl ExecutionEngineApi {
    /// Compiles a module; null if that fails.
    ///
    /// # Safety
    ///
    /// The module is live, and there are as many paths as it says.
    pub unsafe fn create(
        &self,
        module: MlirModule,
        level: c_int,
        path_count: c_int,
        paths: *const MlirStringRef,
        enable_object_dump: bool,
        enable_pic: bool,
    ) -> MlirExecutionEngine {
        // SAFETY: the caller vouches for the module and the paths.
        unsafe {
            (self.create)(
                module,
                level,
                path_count,
                paths,
                enable_object_dump,
                enable_pic,
            )
        }
    }

    /// Runs the global constructors, once.
    ///
    /// # Safety
    ///
    /// The engine is live.
    pub unsafe fn initialize(&self, engine: MlirExecutionEngine) {
        // SAFETY: the caller vouches for the engine.
        unsafe { (self.initialize)(engine) };
    }
}

#[cfg(not(feature = "static-library"))]
pub use loaded::function;
#[cfg(feature = "static-library")]
pub use table::function;

/// The library that the loader found.
#[cfg(not(feature = "static-library"))]
mod loaded {
    use std::ffi::{CStr, c_void};
    use std::mem::MaybeUninit;

    use crate::mlirContextDestroy;

    /// The loader's handle of the library that our other functions come from: another library of the
    /// process may export the same names.
    fn library() -> Option<*mut c_void> {
        let ours = mlirContextDestroy as *const c_void;
        let mut info = MaybeUninit::<libc::Dl_info>::uninit();
        // SAFETY: `info` is written if the address is one of a loaded file, and read only then. The name
        // stays as long as the file is loaded. RTLD_NOLOAD loads nothing; the reference that it counts
        // stays for good, so that the library does too.
        let handle = unsafe {
            if libc::dladdr(ours, info.as_mut_ptr()) == 0 {
                return None;
            }
            libc::dlopen(
                info.assume_init().dli_fname,
                libc::RTLD_LAZY | libc::RTLD_NOLOAD,
            )
        };
        (!handle.is_null()).then_some(handle)
    }

    /// The address of a function of the library, by its name.
    pub fn function(name: &CStr) -> Option<*mut c_void> {
        // SAFETY: the handle is of a loaded library, and the name ends with a NUL.
        let address = unsafe { libc::dlsym(library()?, name.as_ptr()) };
        (!address.is_null()).then_some(address)
    }
}

/// The table of a static library: the loader knows no function of the program's own.
#[cfg(feature = "static-library")]
mod table {
    use std::ffi::{CStr, c_void};
    use std::slice;

    /// A name without its NUL.
    #[repr(C)]
    struct Name {
        start: *const u8,
        length: usize,
    }

    /// The structure that `mondo-link/src/link/functions_by_name.rs` writes: each function, and each one's name.
    #[repr(C)]
    struct Table {
        functions: *const *mut c_void,
        functions_length: usize,
        names: *const Name,
        names_length: usize,
    }

    unsafe extern "C" {
        static mondo_functions_by_name: Table;
    }

    /// The address of a function of the library, by its name.
    pub fn function(name: &CStr) -> Option<*mut c_void> {
        // SAFETY: the table and its arrays are constants of the static library, as long as they say.
        let (functions, names) = unsafe {
            let table = &mondo_functions_by_name;
            (
                slice::from_raw_parts(table.functions, table.functions_length),
                slice::from_raw_parts(table.names, table.names_length),
            )
        };
        let is_it = |one: &Name| {
            // SAFETY: a name is a constant of the static library, as long as it says.
            name.to_bytes() == unsafe { slice::from_raw_parts(one.start, one.length) }
        };
        functions.get(names.iter().position(is_it)?).copied()
    }
}
