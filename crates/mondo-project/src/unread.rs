//! Options that the manifest gives a project and that its `CMake` does not read, mostly because they are misspelt.

use camino::Utf8Path;
use mondo_core::error::Result;
use mondo_core::file::replace;
use mondo_plan::document::did_you_mean;
use mondo_plan::manifest::Project;

use crate::file_api::Reply;
use crate::release_flags::name_of;

/// The file with the names of these options. `CMake` tells them where it is given options, and not where Ninja reruns it.
const FILE: &str = "unread-options";

/// The beginning of `CMake`'s list of variables of the command line that nothing read, mondo's own among them.
const START: &str = "Manually-specified variables were not used by the project:";

/// Keeps the names of the options of `project` that are in `CMake`'s output as unread.
pub(crate) fn keep(project: &Project, said: &str, own: &Utf8Path) -> Result<()> {
    let unread = listed(said);
    let mut names: Vec<&str> = project.define.keys().map(|key| name_of(key)).collect();
    names.retain(|name| unread.contains(name));
    replace(&own.join(FILE), names.join("\n").as_bytes())
}

/// Sentences about the options that [`keep`] kept. One that the project has read since then is in `CMake`'s cache with
/// its type.
pub(crate) fn notes(project: &Project, reply: &Reply, own: &Utf8Path) -> Vec<String> {
    let text = fs_err::read_to_string(own.join(FILE)).unwrap_or_default();
    let known: Vec<&str> = reply.options.iter().map(String::as_str).collect();
    let unread = text.lines().filter(|line| !known.contains(line));
    let notes = unread.map(|name| {
        let near = did_you_mean(name, &known);
        format!(
            "the CMake of the project `{}` does not use `{name}` from its `define`{}",
            project.name.get_ref(),
            near.map_or_else(String::new, |near| format!(": {near}")),
        )
    });
    notes.collect()
}

fn listed(said: &str) -> Vec<&str> {
    let Some((_, rest)) = said.split_once(START) else {
        return Vec::new();
    };
    let lines = rest.lines().skip_while(|line| line.trim().is_empty());
    lines.map_while(|line| line.strip_prefix("    ")).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_variables_are_read_from_what_cmake_says() {
        let said = "-- Generating done\nCMake Warning:\n  Manually-specified variables were not used by the \
                    project:\n\n    MONDO_C_API\n    ONE_JTI\n\n\n-- Build files have been written\n";
        assert_eq!(listed(said), ["MONDO_C_API", "ONE_JTI"]);
        assert!(listed("-- Generating done\n").is_empty());
    }
}
