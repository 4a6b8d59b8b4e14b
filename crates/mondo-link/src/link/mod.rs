//! The link phase: the mondo library out of the bundle's staticlib and MLIR's archives, and the
//! extension against it. The C++ compiler drives lld, because it knows where its start files,
//! libstdc++ and libgcc are.

mod argument_errors;
mod c_api_library;
mod command;
mod direct;
pub mod duplicate;
mod forced_unwinding;
mod functions_by_name;
mod inputs;
mod localize;
pub mod map;
mod order;
mod position;
mod signature_lines;
mod strip;
pub(crate) mod undefined;
mod unwind_tables;

use camino::{Utf8Path, Utf8PathBuf};
use mondo_core::error::{Error, ErrorKind, Result};
use mondo_plan::manifest::UnwindTables;

use crate::archive::indexed_archive_of;

pub use self::c_api_library::{CApiLibrary, c_api_libraries};
use self::command::{Archives, Sort, common, finish, library_command, relocatable_command, run};
use self::forced_unwinding::Language;
pub use self::inputs::{
    CrateExtension, EXTENSION_FILE, EXTENSION_INIT, Inputs, Linked, Unlinked, UnlinkedCode,
};
use self::map::SizeMap;
pub use self::strip::strip;

/// What [`both`] links.
#[derive(Debug)]
pub struct Both {
    /// The library and the extension.
    pub linked: Linked,
    /// The sizes of the library's parts; empty if they were not wanted.
    pub sizes: SizeMap,
    /// The extension's staticlib.
    pub extension_code: Utf8PathBuf,
}

/// Links the mondo library and the extension, and puts both into the folder of what ships. `extension_code` waits for
/// the extension's staticlib. If sizes are wanted, `sizes` is the file that caches them; lld writes a link map, from
/// which they are read, only if the file does not exist.
///
/// # Errors
/// `ErrorKind::Link` where the linker fails, and the error of `extension_code`.
pub fn both(
    inputs: Inputs<'_>,
    sizes: Option<&Utf8Path>,
    extension_code: impl FnOnce() -> Result<Utf8PathBuf> + Send,
) -> Result<Both> {
    let known = sizes.and_then(SizeMap::cached_at);
    let want_map = sizes.is_some() && known.is_none();
    let (library_unstripped, map) = library(inputs, want_map)?;
    let shipped = inputs.out.join("shipped");
    fs_err::create_dir_all(&shipped)?;
    let shipped_library = shipped.join(&inputs.plan.identity.soname);
    let shipped_extension = shipped.join(EXTENSION_FILE);
    let ship = |from: &Utf8Path, to: &Utf8Path| -> Result<()> {
        if inputs.plan.link.strip {
            return strip(from, to);
        }
        ship_whole(from, to)
    };
    // The link of the extension needs only the library's exports, so it does not wait until the library is stripped.
    let (stripped, extension_unstripped) = rayon::join(
        || ship(&library_unstripped, &shipped_library),
        || -> Result<(Utf8PathBuf, Utf8PathBuf)> {
            let code = extension_code()?;
            let linked = extension(inputs, &library_unstripped, &code)?;
            Ok((linked, code))
        },
    );
    stripped?;
    let (extension_unstripped, code) = extension_unstripped?;
    ship(&extension_unstripped, &shipped_extension)?;
    Ok(Both {
        linked: Linked {
            library_unstripped,
            library: shipped_library,
            extension_unstripped,
            extension: shipped_extension,
        },
        sizes: match (known, map, sizes) {
            (None, Some(map), Some(path)) => {
                let sizes = SizeMap::read(&map)?;
                sizes.cache_at(path)?;
                sizes
            }
            (known, ..) => known.unwrap_or_default(),
        },
        extension_code: code,
    })
}

/// Links the mondo library; with `want_map`, lld also writes its map.
///
/// # Errors
/// `ErrorKind::Link` where the linker fails.
pub fn library(inputs: Inputs<'_>, want_map: bool) -> Result<(Utf8PathBuf, Option<Utf8PathBuf>)> {
    let out = inputs
        .out
        .join("unstripped")
        .join(&inputs.plan.identity.soname);
    let map = want_map.then(|| inputs.out.join("library.map"));
    let mut archives = Archives::of(inputs);
    keep(&inputs.compiled.bundle, &archives.bundle)?;
    if inputs.plan.link.unwind_tables != UnwindTables::All {
        archives = unwind_tables::archives(inputs, archives)?;
    }
    let order = match inputs.plan.link.sort_for_compression {
        true => Some(order::of(inputs, &archives)?),
        false => None,
    };
    let sort = order.as_deref().map_or(Sort::No, Sort::Known);
    let command = library_command(inputs, &archives, &out, map.as_deref(), sort)?;
    run(&command, inputs)?;
    Ok((out, map))
}

/// Links the mondo library for programs that have it in themselves: an archive of one object, whose global symbols
/// are the functions of the C API, and a table of those that are asked for by name.
///
/// # Errors
/// `ErrorKind::Link` where the linker fails, and `ErrorKind::Archive` where its object cannot be changed.
pub fn static_library(inputs: Inputs<'_>) -> Result<Utf8PathBuf> {
    let identity = &inputs.plan.identity;
    let stem = identity.soname.trim_end_matches(".so");
    let object = inputs.out.join("unstripped").join(format!("{stem}.o"));
    let mut archives = Archives::of(inputs);
    if inputs.plan.link.unwind_tables != UnwindTables::All {
        archives = unwind_tables::archives(inputs, archives)?;
    }
    let by_name = functions_by_name::object(inputs)?;
    let command = relocatable_command(inputs, &archives, &by_name, &object)?;
    run(&command, inputs)?;
    let mut bytes = fs_err::read(&object)?;
    let mut symbols = inputs.exports.functions.clone();
    symbols.insert(functions_by_name::SYMBOL.to_owned());
    localize::localize(&mut bytes, &symbols).map_err(|why| {
        Error::new(
            ErrorKind::Archive,
            "cannot create a static library from lld's output",
        )
        .at(&object)
        .because(why)
        .help("report this with the version of lld, or build a shared library")
    })?;
    let archive = inputs.out.join("shipped").join(format!("{stem}.a"));
    let name = format!("{stem}.o");
    fs_err::write(&archive, indexed_archive_of(&name, &bytes, &symbols))?;
    fs_err::remove_file(&object)?;
    Ok(archive)
}

/// Links the extension, whose code is the staticlib `code`, against the mondo library at `library`.
///
/// # Errors
/// `ErrorKind::Link` where the linker fails, or a symbol is undefined.
fn extension(inputs: Inputs<'_>, library: &Utf8Path, code: &Utf8Path) -> Result<Utf8PathBuf> {
    let out = inputs.out.join("unstripped").join(EXTENSION_FILE);
    let script = inputs.out.join("extension.ver");
    let mut args = extension_arguments(inputs, &script, EXTENSION_INIT)?;
    // Python's own symbols come from the interpreter; whatever else is undefined is found below.
    args.push("-Wl,--unresolved-symbols=ignore-all".into());
    args.push(format!("-Wl,--undefined={EXTENSION_INIT}"));
    args.push(inputs.compiled.features.to_string());
    args.extend(argument_errors::arguments(inputs)?);
    args.extend(forced_unwinding::arguments(
        inputs,
        "_mlir",
        Language::Rust,
    )?);
    args.push(signature_lines::object(inputs)?.into_string());
    args.push(code.to_string());
    args.extend(direct::arguments(inputs, library, "_mlir", true)?);
    run(&finish(inputs, "extension.rsp", args, &out)?, inputs)?;
    undefined::check_extension(&out, inputs)?;
    Ok(out)
}

/// Links a dialect crate's extension against the mondo library at `library`. Returns it and the map.
///
/// # Errors
/// `ErrorKind::Link` where the linker fails, or a symbol is undefined.
pub fn crate_extension(
    inputs: Inputs<'_>,
    library: &Utf8Path,
    one: CrateExtension<'_>,
) -> Result<(Utf8PathBuf, Utf8PathBuf)> {
    let out = inputs.out.join("unstripped").join(one.file);
    let map = inputs.out.join(format!("{}.map", one.module));
    let script = inputs.out.join(format!("{}.ver", one.module));
    let mut args = extension_arguments(inputs, &script, &format!("PyInit_{}", one.module))?;
    args.push(format!("-Wl,-Map={map}"));
    // Its code throws and catches exceptions. lld folds identical functions whatever their unwind tables
    // say, and GCC's parts of functions for rare cases are identical under different stack frames.
    args.push("-Wl,--icf=none".into());
    // Python's own symbols come from the interpreter; whatever else is undefined is found below.
    args.push("-Wl,--unresolved-symbols=ignore-all".into());
    args.extend(forced_unwinding::arguments(
        inputs,
        one.module,
        Language::Cpp,
    )?);
    args.extend(one.objects.iter().map(ToString::to_string));
    args.push("-Wl,--start-group".into());
    args.extend(one.archives.iter().map(ToString::to_string));
    args.push("-Wl,--end-group".into());
    args.extend(direct::arguments(inputs, library, one.module, false)?);
    let response = format!("{}.rsp", one.module);
    run(&finish(inputs, &response, args, &out)?, inputs)?;
    undefined::check_crate_extension(&out, one, inputs)?;
    Ok((out, map))
}

/// The arguments that begin the link of each extension, which exports `init` alone, as `script` says, and is beside the
/// mondo library.
fn extension_arguments(inputs: Inputs<'_>, script: &Utf8Path, init: &str) -> Result<Vec<String>> {
    fs_err::write(script, format!("{{\n  global: {init};\n  local: *;\n}};\n"))?;
    let mut args = common(inputs.plan);
    // An extension is small: the order is found in no time.
    if inputs.plan.link.sort_for_compression {
        args.extend(Sort::Find.arguments());
    }
    args.push(format!("-Wl,--version-script={script}"));
    args.push("-Wl,-rpath,$ORIGIN".into());
    args.push("-Wl,--enable-new-dtags".into());
    Ok(args)
}

/// Ships the image `from` unstripped, as `to`. A process that has mapped the file of an earlier link keeps the old
/// file.
///
/// # Errors
/// `ErrorKind::Io` where it cannot be copied.
pub(crate) fn ship_whole(from: &Utf8Path, to: &Utf8Path) -> Result<()> {
    keep(from, to)
}

/// Makes `to` a hard link to `from`, or a copy where that is not possible. An old `to` is removed and not
/// overwritten, so that its other names keep their contents.
fn keep(from: &Utf8Path, to: &Utf8Path) -> Result<()> {
    match fs_err::remove_file(to) {
        Err(error) if error.kind() != std::io::ErrorKind::NotFound => return Err(error.into()),
        _ => {}
    }
    if fs_err::hard_link(from, to).is_err() {
        fs_err::copy(from, to)?;
    }
    Ok(())
}
