//! The groups of checks that `cargo xtask test` can run.

use clap::ValueEnum;

/// A group of checks. The gate has all of it where nothing else is said.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub(crate) enum Group {
    /// The architecture's rules; cargo-deny over the dependencies; and the locks of other workspaces.
    Tidy,
    /// rustfmt.
    Fmt,
    /// clippy over the build crates and the runtime crates.
    Clippy,
    /// cargo test over the build crates, with the tests that need LLVM and the examples of the documentation.
    Unit,
    /// The readers of mondo-audit over each seed of the fuzz targets. --all: libFuzzer, for a minute each.
    Fuzz,
    /// ruff over the Python sources; check-jsonschema and zizmor over CI's files.
    Lint,
    /// lychee over the links of the pages; their commands, the generated pages, and rustdoc. --all: the book.
    Docs,
    /// The wheels of default and core, made and audited. --all: acme.
    Bundle,
    /// Those wheels under pip, auditwheel, check-wheel-contents, zipfile, readelf and nm. --all: acme.
    Wheel,
    /// --all: the page with a wheel's sizes, used in Chromium: light and dark, wide and on a phone.
    Page,
    /// pytest, stubtest, mypy and pyright over default and core, each in a fresh venv. --all: acme, each way to
    /// misuse a class, wheels beside each other and in other places, and the dialect crate fixed-point.
    Python,
    /// Names, signatures and programs against upstream's package of the same LLVM.
    Api,
    /// --all: the wheel and its library in other releases, with their C library and their Pythons.
    Distributions,
    /// --all: the other LLVMs of the catalogue: the facts about each, and its bundles under pytest.
    OtherLlvm,
    /// --all: dialects defined in Rust: the SDK, `units`, and one that fails when told to.
    RustDialects,
    /// The example tarn, a language whose compiler is written in Rust: its tests, and generated programs against its
    /// interpreter. --all: ten thousand of them.
    Language,
    /// The Rust API mondo-ir: what must not compile, random edits, examples. --all: a million edits, and the
    /// headers of the other LLVMs.
    Ir,
    /// Nothing in Python dangles: lifetime scenarios, random edits, memory.
    Lifetime,
    /// --all: two builds in two folders give the same bytes.
    Reproducible,
    /// --all: a downstream workspace outside this one.
    Downstream,
    /// Hostile input and hostile surroundings, each case in a process of its own. --all: the differential fuzzer against
    /// upstream's package, memcheck, and the cases that take longer than a second.
    Attack,
    /// A bundle's tree in a scikit-build-core project, built by pip. --all: maturin and hatch, and the
    /// three wheels in one process; a conda package of a wheel.
    Vendoring,
    /// --all: new projects with mondo's build backend under pip, build and uv, `mondo develop`, gdb,
    /// AddressSanitizer, their sdist, and a compiler launcher. Named without --all: the first project under pip,
    /// and `mondo develop`.
    Backend,
    /// --all: two checkouts of a project through sccache.
    Cache,
    /// New dialect crates in C++ and Rust. --all: one in a tree, and a dialect that is linked twice.
    Crates,
    /// Projects from their own CMake: two in one library, their tests, an edit, and mistakes; upstream's
    /// `standalone`. --all: LLVM's test dialects, and Flang's.
    Projects,
    /// --all: upstream's own Python tests over the default wheel.
    Conformance,
    /// --all: programs over other people's packages, with upstream's package and with ours.
    Clients,
    /// --all: upstream's own tests of `mlir-opt` and the other tools over the default bundle's commands.
    Tools,
    /// Bad input: exit codes, and what is left behind.
    BadInput,
    /// --all: mondo installed by pip from its wheels, without Rust: a new project that pip builds, bundles
    /// with a kit, and the audit in CI's action, pre-commit and cibuildwheel.
    Installed,
    /// core by a kit in a newer release's packages, unpacked without root: the same bytes as here. --all: bundles by
    /// mondo's wheels in file systems of four releases without a compiler, one of them without apt; and what a build opens.
    Hosts,
    /// --all: core and standard from an LLVM of PyPI's packages, under pytest.
    Prefixes,
}

impl Group {
    pub(crate) fn name(self) -> String {
        self.to_possible_value()
            .map_or_else(String::new, |value| value.get_name().to_owned())
    }

    /// Whether the gate has this group. The help of the others begins with `--all:`.
    pub(crate) fn in_gate(self) -> bool {
        let value = self.to_possible_value();
        let help = value.and_then(|value| value.get_help().map(ToString::to_string));
        help.is_none_or(|help| !help.starts_with("--all:"))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_gate_has_the_groups_that_need_no_flag() {
        assert!(Group::Wheel.in_gate() && Group::Attack.in_gate());
        assert!(!Group::Prefixes.in_gate() && !Group::Installed.in_gate());
    }
}
