//! The direct binding of an extension to the library: the extension fills in its jumps by itself,
//! so that no interposition is possible (see `direct.cpp`). Symbol versions alone do not prevent
//! it: the loader takes a definition without a version for every version, and searches the global
//! scope first.

use std::fmt::Write as _;

use camino::Utf8Path;
use mondo_core::digest;
use mondo_core::error::{Error, ErrorKind, Result};
use mondo_core::exec::Tool;
use mondo_core::file;
use object::Object;

use super::inputs::Inputs;
use crate::machine::HOST;

/// The C++ that fills in the jumps of any extension.
const FILLING: &str = include_str!("direct.cpp");

/// Makes the object file with a jump for each function that the library at `library` exports. Returns the linker's
/// arguments for this object and the library. With `same_build` the extension refuses at run time a library of
/// another build.
pub(super) fn arguments(
    inputs: Inputs<'_>,
    library: &Utf8Path,
    module: &str,
    same_build: bool,
) -> Result<Vec<String>> {
    let mut text = format!("#define MONDO_LIBRARY {:?}\n", inputs.plan.identity.soname);
    if same_build {
        let _ = writeln!(text, "#define MONDO_BUILD_ID {:?}", build_id(library)?);
    }
    text.push_str(FILLING);
    text.push_str(&jumps(inputs.exports.functions.iter().map(String::as_str)));
    let source = inputs.out.join(format!("{module}.links.cpp"));
    let object = inputs.out.join(format!("{module}.links.o"));
    fs_err::write(&source, text)?;
    compile(inputs, &source, &object)?;
    // No symbol refers to the library any more, so `--as-needed` would drop it; yet the loader has to load it.
    Ok(vec![
        object.into_string(),
        "-Wl,--no-as-needed".into(),
        library.to_string(),
        "-Wl,--as-needed".into(),
    ])
}

/// Compiles a C++ file that becomes part of an extension, and includes no other file of ours. It is not compiled again
/// while its text and the command are those of the last run.
pub(super) fn compile(inputs: Inputs<'_>, source: &Utf8Path, object: &Utf8Path) -> Result<()> {
    let tool = Tool::new(&inputs.linker.cxx, "compile a part of an extension")
        .fails_as(ErrorKind::Compile)
        .installed_by("apt-get install g++")
        .args(["-c", "-std=c++17", "-O2", "-fPIC", "-fno-exceptions"])
        .args(["-fno-asynchronous-unwind-tables", "-ffunction-sections"])
        .args([source.as_str(), "-o", object.as_str()]);
    let text = fs_err::read_to_string(source)?;
    let (version, command) = (&inputs.linker.cxx_version, tool.command_line());
    let key = digest::of(format!("{version}\n{command}\n{text}"));
    let record = object.with_extension("o.made-from");
    if object.is_file() && fs_err::read_to_string(&record).is_ok_and(|recorded| recorded == key) {
        return Ok(());
    }
    if record.is_file() {
        fs_err::remove_file(&record)?;
    }
    tool.output()?;
    file::replace(&record, key.as_bytes())
}

/// The assembly of the jumps, as a statement of C++. A function's word and name go where its jump goes:
/// an extension has those of the functions that it calls. The jumps are weak: an extension that links a function
/// of the library itself gets that, and the audit to deal with.
fn jumps<'a>(functions: impl Iterator<Item = &'a str>) -> String {
    let jump = HOST.jump_through_word;
    let mut text = format!(
        "\nasm(R\"(\n\
         .macro mondo_link name\n\
         .section .text.mondo_link.\\name,\"ax\",@progbits\n\
         .weak \\name\n.hidden \\name\n.type \\name, @function\n\
         \\name:\n{jump}\n.size \\name, . - \\name\n\
         .section mondo_links,\"awo\",@progbits,\\name\n\
         .balign 8\n.Lmondo_word_\\name:\n.quad .Lmondo_name_\\name\n\
         .section .rodata.mondo_link.\\name,\"a\",@progbits\n\
         .Lmondo_name_\\name:\n.asciz \"\\name\"\n\
         .endm\n"
    );
    for function in functions {
        // Writing to a String cannot fail.
        let _ = writeln!(text, "mondo_link {function}");
    }
    text.push_str(".text\n)\");\n");
    text
}

/// A library's build-id in hexadecimal.
fn build_id(library: &Utf8Path) -> Result<String> {
    let map = file::map(library)?;
    let file = object::File::parse(&*map).ok();
    let id = file
        .as_ref()
        .and_then(|file| file.build_id().ok().flatten());
    let id =
        id.ok_or_else(|| Error::new(ErrorKind::Link, "the library has no build-id").at(library))?;
    Ok(id.iter().fold(String::new(), |mut text, byte| {
        let _ = write!(text, "{byte:02x}");
        text
    }))
}

#[cfg(test)]
mod tests {
    use camino::Utf8Path;

    use super::*;

    /// The linker drops all jumps then, and with them the section whose ends the constructor asks for.
    #[test]
    fn an_extension_may_call_no_function_of_the_library() {
        let dir = tempfile::tempdir().unwrap();
        let dir = Utf8Path::from_path(dir.path()).unwrap();
        let jumps = jumps(["called_by_nobody"].into_iter());
        let links = format!("#define MONDO_LIBRARY \"liblibrary.so\"\n{FILLING}{jumps}");
        let program = "#include <dlfcn.h>\n#include <stdio.h>\nint main(int, char **argv) {\n  \
                       void *it = dlopen(argv[1], RTLD_NOW);\n  if (!it) { puts(dlerror()); return 1; }\n  \
                       return reinterpret_cast<int (*)()>(dlsym(it, \"answer\"))() != 42;\n}\n";
        for (name, text) in [
            ("library", "extern \"C\" void called_by_nobody() {}\n"),
            (
                "extension",
                "extern \"C\" char mondo_link_error[];\nextern \"C\" int answer() { return mondo_link_error[0] ? 1 : 42; }\n",
            ),
            ("links", links.as_str()),
            ("program", program),
        ] {
            fs_err::write(dir.join(format!("{name}.cpp")), text).unwrap();
        }
        let compile = |arguments: &[&str]| {
            Tool::new("g++", "compile the test of an extension")
                .cwd(dir)
                .args(["-fPIC", "-O2", "-ffunction-sections"])
                .args(arguments)
                .output()
                .unwrap();
        };
        compile(&["-shared", "library.cpp", "-o", "liblibrary.so"]);
        compile(&[
            "-shared",
            "extension.cpp",
            "links.cpp",
            "-o",
            "extension.so",
            // As lld does it.
            "-Wl,--gc-sections,-z,start-stop-gc,-z,defs",
            "-Wl,--no-as-needed",
            "liblibrary.so",
            "-Wl,-rpath,$ORIGIN",
        ]);
        compile(&["program.cpp", "-o", "program"]);
        Tool::new(dir.join("program"), "load the extension")
            .arg(dir.join("extension.so"))
            .output()
            .unwrap();
    }
}
