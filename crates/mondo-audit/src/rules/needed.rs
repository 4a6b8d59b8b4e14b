//! `needed`: the libc family, images of the set, and what the caller allows.

use super::count;
use crate::{Finding, Image, Offender, Rule, RuleId};

pub(crate) const RULE: Rule = Rule {
    title: "an image needs libc and its own companions only",
    why: "A library that is not in the wheel has to be on the user's machine in a fitting version. \
          libstdc++ and libgcc in particular would be shared with every other package of the \
          process.",
    fix: "link the library's static form, put the library into the wheel, or allow its name",
};

/// Whether every system with glibc has this library, whatever is installed.
pub(crate) fn is_libc(library: &str) -> bool {
    let family = [
        "libc.so.6",
        "libm.so.6",
        "libpthread.so.0",
        "libdl.so.2",
        "librt.so.1",
        "libutil.so.1",
    ];
    family.contains(&library) || is_loader(library)
}

fn is_loader(library: &str) -> bool {
    library
        .strip_prefix("ld-linux")
        .is_some_and(|rest| rest.contains(".so.") && !rest.contains('/'))
}

pub(crate) fn check(image: &Image<'_>, set: &[Image<'_>]) -> Option<Finding> {
    let allowed = |library: &str| match image.expect {
        Some(expect) => expect.needed.iter().any(|name| name == library),
        None => set.iter().any(|other| provides(other, library)),
    };
    let foreign: Vec<Offender> = image
        .facts
        .needed
        .iter()
        .filter(|library| !is_libc(library) && !allowed(library))
        .map(|&library| Offender::named(library))
        .collect();
    (!foreign.is_empty()).then(|| {
        let what = format!(
            "needs {} beside the libc family",
            count(foreign.len(), "library", "libraries")
        );
        Finding::new(RuleId::Needed, image.severity(), image.facts.name, what).about(foreign)
    })
}

/// Whether the loader would take this image for that library.
pub(crate) fn provides(image: &Image<'_>, library: &str) -> bool {
    let file = image.facts.name.rsplit('/').next();
    image
        .facts
        .soname
        .map_or(file == Some(library), |soname| soname == library)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_libc_family_is_known_by_its_full_names() {
        for library in [
            "libc.so.6",
            "libm.so.6",
            "ld-linux-x86-64.so.2",
            "ld-linux-aarch64.so.1",
        ] {
            assert!(is_libc(library), "{library}");
        }
        for library in [
            "libc.so",
            "libstdc++.so.6",
            "libgcc_s.so.1",
            "/opt/ld-linux.so.2",
            "ld-linux-x",
        ] {
            assert!(!is_libc(library), "{library}");
        }
    }
}
