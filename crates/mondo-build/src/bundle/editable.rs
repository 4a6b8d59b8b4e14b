//! The phases of an editable install: those of a bundle up to the link, without audit, wheel and report.

use std::sync::Arc;
use std::thread;

use camino::Utf8Path;
use mondo_core::error::Result;
use mondo_core::interrupt::{Stop, StopOnDrop};
use mondo_link::compile::{self, Digests, Keys};
use mondo_link::link;
use mondo_package::crate_wheel::{self, Made};
use mondo_package::staging;
use mondo_package::wheel::Stage;
use mondo_plan::catalogue::Catalogue;
use mondo_project::Prepared;

use super::build::{Build, joined};
use super::options::Options;
use super::phases::Phases;
use super::project_code::ProjectCode;

/// Compiles what has changed, links, and returns the files of the package. `out` is the folder of the bundle's own
/// intermediate files.
pub(crate) fn linked(
    request: compile::Request<'_>,
    keys: &Keys,
    digests: &Digests,
    catalogue: &Catalogue,
    options: &Options,
    projects: &[Prepared],
    out: &Utf8Path,
) -> Result<Stage> {
    let build = Build {
        request,
        keys,
        digests,
        catalogue,
        options,
        projects,
        code: ProjectCode::new(projects),
        out,
    };
    thread::scope(|scope| {
        let stop = Arc::new(Stop::default());
        let _on_error = StopOnDrop(&stop);
        build.editable(scope, &stop)
    })
}

impl Build<'_> {
    fn editable<'scope>(
        &'scope self,
        scope: &'scope thread::Scope<'scope, '_>,
        stop: &Arc<Stop>,
    ) -> Result<Stage> {
        let compile::Request {
            plan,
            toolchain,
            source,
            sink,
            ..
        } = self.request;
        let mut phases = Phases::new(sink);
        let (parts, extension) = self.parts(&mut phases, scope, stop)?;
        let known = self.out.join("known");
        let inputs = self.inputs(&parts, &known);
        let linked = phases.run("link", &plan.identity.soname, || {
            let both = link::both(inputs, None, || joined(extension))?;
            Ok((both.linked, plan.identity.soname.clone()))
        })?;
        let extensions = self.extensions(&mut phases, inputs, &linked)?;
        let modules = phases.run("ods", "the dialects' Python classes", || {
            self.ods(&parts.compiled)
        })?;
        let mut stage = staging::stage(plan, toolchain, source, &parts.exports, &linked, &modules)?;
        let of_bundle = crate_wheel::stubs_of(&stage, plan)?;
        let input = Made {
            plan,
            toolchain,
            extensions: extensions.as_ref(),
            modules: &modules,
            of_bundle: &of_bundle,
            platform: "",
            packages: &[],
            native: &[],
        };
        crate_wheel::lay_out_all(input, &mut stage)?;
        Ok(stage)
    }
}
