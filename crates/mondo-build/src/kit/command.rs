//! The wheel of the command `mondo`: the program, and the Python package that finds it.

use camino::{Utf8Path, Utf8PathBuf};
use mondo_core::error::{Error, Result};
use mondo_core::glibc::GlibcVersion;
use mondo_core::interrupt;
use mondo_core::kit::DISTRIBUTION;
use mondo_core::lock;
use mondo_core::progress::{Sink, phase};
use mondo_core::source::Source;
use mondo_link::compile::{self, ProgramRequest};
use mondo_link::link;
use mondo_package::wheel::sbom::{self, SbomInput};
use mondo_package::wheel::{self, Epoch, Stage, WheelFile, WriteOptions};
use mondo_toolchain as toolchain;

use super::wheel::{MINIMUM_GLIBC, metadata, tag};
use crate::audit;

/// The LLVM whose packages the linker is taken from.
const LINKER_OF: u32 = 22;

/// The program, and the Cargo package that it is made of.
const NAME: &str = "mondo";

/// The Python package: the build backend.
const MODULE: &str = "mondo_bundle";

/// The Python package, in a checkout.
const PYTHON: &str = "crates/mondo/python/mondo_bundle";

/// Its description for an index, in a checkout.
pub(super) const DESCRIPTION: &str = "crates/mondo/README.md";

/// The folders of a build of the command's wheel.
#[derive(Debug, Clone)]
pub struct CommandOptions {
    /// The folder of the wheel.
    pub out_dir: Utf8PathBuf,
    /// The folder of intermediate files, kept between runs.
    pub work_dir: Utf8PathBuf,
}

/// Makes the wheel of the command from a checkout of mondo, audited.
///
/// # Errors
/// `ErrorKind::Toolchain` without a checkout; `ErrorKind::Compile` where cargo fails;
/// `ErrorKind::Audit` where the program would not run on the minimum glibc.
pub fn command(options: &CommandOptions, sink: &dyn Sink) -> Result<WheelFile> {
    let source = Source::locate()?;
    let request = toolchain::Request::from_environment(LINKER_OF, source.toolchain_lock())?;
    let toolchain = toolchain::find(&request, sink)?;
    let linker = toolchain::linker(Some(&toolchain))?;
    fs_err::create_dir_all(&options.work_dir)?;
    let _lock = lock::hold(&options.work_dir, sink, &interrupt::check)?;
    let (file, _) = phase(sink, "command", "for other machines", || {
        let program = compile::program(ProgramRequest {
            source: &source,
            toolchain: &toolchain,
            linker: &linker,
            glibc: GlibcVersion::new(MINIMUM_GLIBC.0, MINIMUM_GLIBC.1),
            work: &options.work_dir,
            sink,
        })?;
        let stripped = options.work_dir.join("command").join(NAME);
        link::strip(&program, &stripped)?;
        let file = write(&source, &stripped, options)?;
        let outcome = file.path.to_string();
        Ok::<_, Error>((file, outcome))
    })?;
    Ok(file)
}

fn write(source: &Source, program: &Utf8Path, options: &CommandOptions) -> Result<WheelFile> {
    let metadata = metadata(
        DISTRIBUTION,
        "Links MLIR into one private shared library and packs it into a wheel",
        DESCRIPTION,
        source,
    );
    let scripts = format!(
        "{}-{}.data/scripts",
        metadata.file_name()?,
        metadata.normal_version()?
    );
    let mut stage = Stage::default();
    stage.file(format!("{scripts}/{NAME}"), program, true);
    stage.tree(&source.root().join(PYTHON), MODULE)?;
    let sbom = SbomInput {
        packages: &[],
        crates: sbom::rust_crates(&source.cargo_manifest(), &[NAME])?,
        native: Vec::new(),
        dialects: Vec::new(),
    };
    let write = WriteOptions {
        epoch: Epoch::from_environment()?,
        ..WriteOptions::default()
    };
    let packed = wheel::pack(&stage, &metadata, &tag(), &sbom, &write)?;
    let name = packed.name.clone();
    packed.write(&options.out_dir, |bytes| {
        audit::bytes_of_wheel(&name, bytes)
    })
}
