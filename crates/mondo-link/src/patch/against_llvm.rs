//! The expectations against the archives of every LLVM that the lock pins.

use mondo_core::progress::Silent;
use mondo_core::source::Source;
use mondo_toolchain as toolchain;
use object::{Object as _, ObjectSection as _, ObjectSymbol as _, SectionKind};

use super::*;

/// MLIR's IR archive of an LLVM, found or provisioned as a build would.
fn ir_archive(major: u32) -> Archive {
    let lock = Source::locate().unwrap().toolchain_lock();
    let mut request = toolchain::Request::from_environment(major, lock).unwrap();
    let toolchain = toolchain::find(&request, &Silent).unwrap_or_else(|_| {
        // The environment names the one that the build uses, which may be another.
        request.env_llvm_dir = None;
        toolchain::find(&request, &Silent).unwrap()
    });
    let path = toolchain.prefix.join("lib/libMLIRIR.a");
    Archive {
        name: "MLIRIR".into(),
        size: fs_err::metadata(&path).unwrap().len(),
        path,
        members: 0,
    }
}

/// The bytes of one member of an archive.
fn member_of(archive: &Archive, name: &str) -> Vec<u8> {
    let bytes = fs_err::read(&archive.path).unwrap();
    let file = ArchiveFile::parse(&*bytes).unwrap();
    let member = file
        .members()
        .map(Result::unwrap)
        .find(|member| member.name() == name.as_bytes());
    member.unwrap().data(&*bytes).unwrap().to_vec()
}

fn operates_on(major: u32) {
    let archive = ir_archive(major);
    for member in members(major) {
        let before = member_of(&archive, member.name);
        let (patched, after) = patch_any_form(&archive, member).unwrap();
        assert!(!patched.by_rules, "the table describes {}", member.name);
        assert_eq!(
            after,
            patch_any_form(&archive, member).unwrap().1,
            "reproducible"
        );
        check(member, &before, &after);
        rules_agree(member, &before);
    }
}

/// Checks that the rules find each call of the table, and that they can be applied.
fn rules_agree(member: &Member<'static>, object: &[u8]) {
    let found = rules::redirects(object, member).unwrap();
    let redirects: Vec<_> = found.iter().map(rules::Found::redirect).collect();
    for listed in member.redirects {
        let same = redirects.iter().find(|one| {
            (one.section, one.from, one.to) == (listed.section, listed.from, listed.to)
        });
        assert_eq!(same.map(|one| one.count), Some(listed.count), "{listed:?}");
    }
    let by_rules = Member {
        redirects: &redirects,
        totals: &[],
        ..*member
    };
    let after = relocatable::patch_object(object, &by_rules).unwrap();
    check(&by_rules, object, &after);
}

/// Checks that redirected symbols are undefined, and that code, data and groups are unchanged.
fn check(member: &Member<'_>, before: &[u8], after: &[u8]) {
    let (before, after) = (
        object::File::parse(before).unwrap(),
        object::File::parse(after).unwrap(),
    );
    for redirect in member.redirects {
        let undefined = |name: &str| {
            after
                .symbols()
                .filter(|symbol| symbol.name() == Ok(name) && symbol.is_undefined())
                .count()
        };
        assert_eq!(undefined(redirect.to), 1, "{}", redirect.to);
    }
    for rename in member.renames {
        let defined = after.symbol_by_name(rename.to).unwrap();
        assert!(defined.is_definition(), "{}", rename.to);
    }
    let sections: Vec<_> = before.sections().zip(after.sections()).collect();
    assert_eq!(sections.len(), before.sections().count());
    for (old, new) in sections {
        assert_eq!(old.name(), new.name());
        if old.kind() != SectionKind::Metadata {
            assert_eq!(old.data().unwrap(), new.data().unwrap(), "{:?}", old.name());
        }
        assert_eq!(old.relocations().count(), new.relocations().count());
    }
    let all: usize = member.redirects.iter().map(|redirect| redirect.count).sum();
    let targets = |file: &object::File<'_>| -> Vec<String> {
        file.sections()
            .flat_map(|section| section.relocations().collect::<Vec<_>>())
            .map(|(_, relocation)| match relocation.target() {
                object::RelocationTarget::Symbol(symbol) => {
                    format!("{symbol:?}")
                }
                other => format!("{other:?}"),
            })
            .collect()
    };
    let changed = targets(&before)
        .iter()
        .zip(targets(&after))
        .filter(|(old, new)| *old != new)
        .count();
    assert_eq!(changed, all, "nothing else was retargeted");
}

#[test]
#[ignore = "needs LLVM"]
fn operates_on_llvm_22() {
    operates_on(22);
}

#[test]
#[ignore = "needs LLVM, which it provisions"]
fn operates_on_llvm_19() {
    operates_on(19);
}

#[test]
#[ignore = "needs LLVM, which it provisions"]
fn operates_on_llvm_23() {
    operates_on(23);
}
