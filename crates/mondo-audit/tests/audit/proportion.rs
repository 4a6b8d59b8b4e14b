//! Tests that audits take time in proportion to their input. Each input has a size at which a quadratic algorithm
//! takes minutes and a linear one takes a second.

use std::fmt::Write as _;
use std::time::{Duration, Instant};

use mondo_audit::{Audit, Input, Policy, PolicyFile, RuleId, audit, audit_wheel};

use crate::crafted::{Place, elf};
use crate::wheel::{WHEEL, wheel_of};

/// Number of repetitions of each thing.
const MANY: usize = 150_000;

/// A time limit that a quadratic algorithm exceeds and that is kept even on a busy machine.
const LONGEST: Duration = Duration::from_secs(60);

fn in_time<T>(work: impl FnOnce() -> T) -> T {
    let start = Instant::now();
    let done = work();
    assert!(start.elapsed() < LONGEST, "it took {:?}", start.elapsed());
    done
}

fn audited(images: &[(&str, &[u8])]) -> Audit {
    let inputs: Vec<Input<'_>> = images
        .iter()
        .map(|&(name, bytes)| Input { name, bytes })
        .collect();
    in_time(|| audit(&inputs, &Policy::default()).expect("readable"))
}

fn has(audit: &Audit, rule: RuleId, start: &str) -> bool {
    let mut findings = audit.findings.iter();
    findings.any(|finding| finding.rule == rule && finding.what.starts_with(start))
}

/// Symbols of one kind that are all called `a`: type and binding, section, address, version.
type Symbols = (u8, u16, usize, u16);

/// A library with so many of each of these, all of which it has looked up. Version 2 has this name.
fn library(soname: &str, version: &str, kinds: &[Symbols], sections: usize) -> Vec<u8> {
    let mut body = Vec::new();
    let place = |body: &mut Vec<u8>, bytes: &[u8]| {
        body.resize(body.len().next_multiple_of(8), 0);
        let start = 64 + body.len();
        body.extend(bytes);
        (start, bytes.len())
    };
    let mut strings = "\0a\0.data\0".to_owned();
    let soname_at = strings.len();
    let version_at = soname_at + soname.len() + 1;
    let _ = write!(strings, "{soname}\0{version}\0");
    let strings = place(&mut body, strings.as_bytes());

    let (mut symbols, mut versions, mut relocations) = (vec![0; 24], vec![0; 2], Vec::new());
    for &(kind, section, address, version) in kinds {
        for _ in 0..MANY {
            let number = symbols.len() as u64 / 24;
            symbols.extend([1, 0, 0, 0, kind, 0]);
            symbols.extend(section.to_le_bytes());
            symbols.extend((address as u64).to_le_bytes());
            symbols.extend([8, 0, 0, 0, 0, 0, 0, 0]);
            versions.extend(version.to_le_bytes());
            for word in [64, number << 32 | 6, 0] {
                relocations.extend(word.to_le_bytes());
            }
        }
    }
    let count = symbols.len() / 24;
    let symbols = place(&mut body, &symbols);
    let versions = place(&mut body, &versions);
    let relocations = place(&mut body, &relocations);
    let mut definition = vec![1, 0, 0, 0, 2, 0, 1, 0, 0, 0, 0, 0, 20, 0, 0, 0, 0, 0, 0, 0];
    definition.extend(u32::try_from(version_at).expect("small").to_le_bytes());
    definition.extend([0; 4]);
    let definition = place(&mut body, &definition);
    let mut dynamic = Vec::new();
    for (tag, value) in [
        (5, strings.0),
        (6, symbols.0),
        (7, relocations.0),
        (8, relocations.1),
        (9, 24),
        (10, strings.1),
        (14, soname_at),
        (0, 0),
    ] {
        for word in [tag, value as u64] {
            dynamic.extend(word.to_le_bytes());
        }
    }
    let dynamic = place(&mut body, &dynamic);
    let (data, ..) = place(&mut body, &[0; 8]);
    let mut places: Vec<Place> = vec![
        (0, 0, 0, 0, 0, 0),
        (3, 0, strings.0, strings.1, 0, 0),
        (11, 0, symbols.0, count * 24, 1, 24),
        (0x6fff_ffff, 0, versions.0, versions.1, 2, 2),
        (0x6fff_fffd, 0, definition.0, definition.1, 1, 0),
    ];
    places.extend(vec![(1, 3, data, 8, 0, 0); sections]);
    let whole = (1, 4, 64, body.len());
    elf(&body, &[whole, (2, 4, dynamic.0, dynamic.1)], &places)
}

const FUNCTION: u8 = 0x12;
const WEAK_OBJECT: u8 = 0x21;

#[test]
fn one_name_may_be_asked_for_as_often_as_it_is_defined() {
    let kinds = [(FUNCTION, 5, 64, 2), (0x10, 0, 0, 1)];
    let one = library("liba.so", "A", &kinds, 1);
    let other = library("libb.so", "B", &kinds, 1);
    let audit = audited(&[("liba.so", &one), ("libb.so", &other)]);
    let unresolved = "150000 symbols without a fitting definition";
    assert!(
        has(&audit, RuleId::Unresolved, unresolved),
        "{:#?}",
        names(&audit)
    );
    assert!(
        has(&audit, RuleId::Binding, "gets 1 name"),
        "{:#?}",
        names(&audit)
    );
}

#[test]
fn as_many_variables_may_be_exported_as_there_are_sections() {
    let sections = 60_000;
    let address = {
        // The last section.
        let probe = library("liba.so", "A", &[(WEAK_OBJECT, 5, 64, 2)], 1);
        probe.len() - 56 * 2 - 64 * 6 - 8
    };
    let kinds = [(WEAK_OBJECT, 5, address, 2)];
    let one = library("liba.so", "A", &kinds, sections);
    let other = library("libb.so", "A", &kinds, sections);
    let audit = audited(&[("liba.so", &one), ("libb.so", &other)]);
    assert!(
        has(&audit, RuleId::SharedData, "1 variable also defined in"),
        "{:#?}",
        names(&audit)
    );
}

#[test]
fn as_many_libraries_may_be_optional_as_are_needed() {
    let mut commands = Vec::new();
    for number in 0..MANY {
        for word in [0x8000_0018_u32, 40, 24, 0, 0, 0] {
            commands.extend(word.to_le_bytes());
        }
        let mut name = format!("/x/{number}").into_bytes();
        name.resize(16, 0);
        commands.extend(name);
    }
    let mut file = Vec::new();
    let size = u32::try_from(commands.len()).expect("small");
    let count = u32::try_from(MANY).expect("small");
    for word in [0xfeed_facf, 0x0100_000c, 0, 6, count, size, 0x80, 0] {
        file.extend(word.to_le_bytes());
    }
    file.extend(commands);
    let audit = audited(&[("libacme.dylib", &file)]);
    assert!(
        has(&audit, RuleId::Needed, "needs 150000 libraries beside"),
        "{:#?}",
        names(&audit)
    );
}

#[test]
fn each_image_may_need_all_the_others() {
    const IMAGES: usize = 400;
    let sonames: Vec<String> = (0..IMAGES)
        .map(|number| format!("lib{number}.so"))
        .collect();
    let mut strings = String::from("\0");
    let mut dynamic = Vec::new();
    let mut at = Vec::new();
    for soname in &sonames {
        at.push(strings.len());
        dynamic.extend([1, strings.len() as u64]);
        strings.push_str(soname);
        strings.push('\0');
    }
    let strings_at = 64 + (sonames.len() + 5) * 16;
    let images: Vec<Vec<u8>> = at
        .iter()
        .map(|&soname| {
            let all = dynamic.iter().copied().chain([
                5,
                strings_at as u64,
                10,
                strings.len() as u64,
                14,
                soname as u64,
                0,
                0,
                0,
                0,
            ]);
            let mut body: Vec<u8> = all.flat_map(u64::to_le_bytes).collect();
            let dynamic = (2, 4, 64, body.len());
            body.extend(strings.as_bytes());
            elf(&body, &[(1, 4, 64, body.len()), dynamic], &[])
        })
        .collect();
    let set: Vec<(&str, &[u8])> = sonames
        .iter()
        .zip(&images)
        .map(|(name, image)| (name.as_str(), image.as_slice()))
        .collect();
    let audit = audited(&set);
    assert_eq!(audit.images.len(), IMAGES);
}

#[test]
fn a_file_name_may_have_as_many_tags_as_it_has_room_for() {
    let tags = |start: &str| -> String {
        let all: Vec<String> = (0..20_000)
            .map(|number| format!("{start}{number}"))
            .collect();
        all.join(".")
    };
    let platforms = tags("manylinux_2_");
    let name = format!("acme-1-{}-{}-{platforms}.whl", tags("cp"), tags("abi"));
    let bytes = wheel_of(&[("acme/a.txt", b"x")], WHEEL);
    let policy = Policy::default();
    let audit = in_time(|| audit_wheel(&name, &bytes, &policy).expect("readable"));
    assert!(
        has(&audit, RuleId::Tag, "its file name is not name-version"),
        "{:#?}",
        names(&audit)
    );
}

#[test]
fn a_policy_file_may_allow_as_much_as_it_has_room_for() {
    let entry = "[[allow]]\nrule = \"needed\"\nreason = \"x\"\n\n";
    let text = entry.repeat(MANY / 2);
    let file = in_time(|| PolicyFile::parse("policy.toml", &text).expect("valid"));
    assert_eq!(
        file.allows.last().map(|allow| allow.line),
        Some(2 * MANY - 3)
    );
}

/// Findings without their details.
fn names(audit: &Audit) -> Vec<(&str, &str)> {
    let findings = audit.findings.iter();
    findings
        .map(|finding| (finding.rule.name(), finding.what.as_str()))
        .collect()
}
