//! Dependencies on the build machine: files and folders outside of the toolchain that a project's `CMake` has found.

use camino::Utf8Path;

use crate::file_api::Reply;
use crate::prepare::Preparation;

impl Preparation<'_> {
    /// The files and folders that `CMake` found on the machine.
    pub(crate) fn host(&self, reply: &Reply) -> Vec<(String, String)> {
        let theirs = |name: &str| name.starts_with("CMAKE_") || name.contains("Python");
        let toolchain = &self.request.toolchain;
        let ours = [
            &self.request.toolchain.prefix,
            &self.project.folder,
            &self.folders.shared,
        ];
        let of_machine = |value: &str| {
            let path = Utf8Path::new(value);
            let inside = ours.iter().any(|root| path.starts_with(root))
                || path.starts_with(self.prefix)
                || self
                    .done
                    .iter()
                    .any(|prepared| path.starts_with(&prepared.build))
                || path.starts_with(self.modules)
                || toolchain
                    .library_dirs
                    .iter()
                    .any(|dir| path.starts_with(dir));
            path.is_absolute() && !inside && path.exists()
        };
        let mut found: Vec<(String, String)> = reply
            .paths
            .iter()
            .filter(|(name, value)| !theirs(name) && of_machine(value))
            .cloned()
            .collect();
        found.sort();
        found
    }
}
