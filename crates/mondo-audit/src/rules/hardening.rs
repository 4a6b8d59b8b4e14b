//! `textrel`, `relro`, `bind-now`, `stack`, `build-id`, `aslr`, `cfi`, `signature`: what the linker
//! has to leave behind.

use crate::{Arch, Finding, Format, Image, Rule, RuleId, Severity, Subject};

pub(crate) const TEXTREL: Rule = Rule {
    title: "code is never written to",
    applies: &[Subject::Elf],
    why: "Text relocations make the loader patch code pages: they can no longer be shared between \
          processes, and hardened systems refuse to load the image.",
    fix: "compile everything with -fPIC and link with `-z text`, which names the object at fault",
};

pub(crate) const RELRO: Rule = Rule {
    title: "relocated data is read-only after start",
    applies: &[Subject::Elf],
    why: "Without PT_GNU_RELRO vtables and the global offset table stay writable, the first thing \
          an exploit of a memory error writes to.",
    fix: "link with `-z relro`",
};

pub(crate) const BIND_NOW: Rule = Rule {
    title: "all symbols are bound at load",
    applies: &[Subject::Elf],
    why: "With lazy binding a missing function shows itself at its first call instead of at import, \
          and the PLT's table stays writable whatever RELRO says.",
    fix: "link with `-z now`",
};

pub(crate) const STACK: Rule = Rule {
    title: "the stack is not executable",
    applies: Subject::IMAGES,
    why: "One image that asks for an executable stack makes every thread's stack in the process \
          executable; newer systems refuse to dlopen it. An assembly file without a \
          `.note.GNU-stack` section is enough.",
    fix: "link with `-z noexecstack`, and add `.section .note.GNU-stack,\"\",@progbits` to assembly",
};

pub(crate) const BUILD_ID: Rule = Rule {
    title: "an image has a build-id",
    applies: Subject::IMAGES,
    why: "Debuggers, profilers and crash reports find an image's symbols by its build-id; without \
          one a stack trace from a user cannot be read.",
    fix: "link with `--build-id`, on macOS without -no_uuid, on Windows with /DEBUG",
};

pub(crate) const ASLR: Rule = Rule {
    title: "an image can be loaded anywhere",
    applies: Subject::IMAGES,
    why: "Where the system cannot choose an image's address, an attacker knows the addresses of its \
          code.",
    fix: "compile with -fPIC or -fPIE and link with -pie; on Windows link with /DYNAMICBASE and \
          /HIGHENTROPYVA",
};

pub(crate) const CFI: Rule = Rule {
    title: "jumps and returns are checked",
    applies: &[Subject::Elf, Subject::Pe],
    why: "One image without the mark switches the check off for the whole process (IBT, SHSTK, BTI), \
          or leaves its own jumps unchecked (Control Flow Guard).",
    fix: "compile everything with -fcf-protection (x86) or -mbranch-protection=standard (Arm), \
          assembly included; on Windows with /guard:cf and /CETCOMPAT",
};

pub(crate) const SIGNATURE: Rule = Rule {
    title: "an image for Macs with arm64 is signed, and was not changed since",
    applies: &[Subject::MachO],
    why: "They run no image without a signature; one that nobody vouches for is enough. Changing an \
          image after it was linked (install_name_tool, strip) removes or breaks it.",
    fix: "run `codesign --force --sign -` after the last change",
};

type Check = (RuleId, bool, Severity, &'static str);

pub(crate) fn check(image: &Image<'_>) -> Vec<Finding> {
    let checks = match image.facts.format {
        Format::Elf => elf(image),
        Format::MachO => macho(image),
        Format::Pe => pe(image),
    };
    checks
        .into_iter()
        .filter(|&(_, wrong, ..)| wrong)
        .map(|(rule, _, severity, what)| Finding::new(rule, severity, image.facts.name, what))
        .collect()
}

fn elf(image: &Image<'_>) -> Vec<Check> {
    let facts = &image.facts;
    let ours = image.severity();
    let jumps = facts.hardening.landing_pads == Some(false);
    let returns = facts.hardening.shadow_stack == Some(false);
    vec![
        (
            RuleId::Textrel,
            facts.text_relocations,
            Severity::Error,
            "has relocations in its code",
        ),
        (RuleId::Relro, !facts.relro, ours, "has no PT_GNU_RELRO"),
        (
            RuleId::BindNow,
            !facts.bind_now,
            // Python binds everything at load, whatever the image says.
            match image.expect {
                Some(_) => Severity::Error,
                None => Severity::Info,
            },
            "binds its symbols lazily",
        ),
        (
            RuleId::Stack,
            facts.executable_stack == Some(true),
            Severity::Error,
            "asks for an executable stack",
        ),
        (
            RuleId::Stack,
            facts.executable_stack.is_none(),
            Severity::Error,
            "has no PT_GNU_STACK, which asks for an executable stack",
        ),
        (
            RuleId::BuildId,
            facts.build_id.is_none(),
            ours,
            "has no build-id",
        ),
        (
            RuleId::Aslr,
            facts.hardening.position_independent == Some(false),
            ours,
            "is linked for one address",
        ),
        // Hardly any compiler is set up to do this, and one archive without it takes it away.
        (
            RuleId::Cfi,
            jumps && returns,
            Severity::Info,
            "is not marked for checked jumps (IBT, BTI) and returns (SHSTK, PAC)",
        ),
        (
            RuleId::Cfi,
            jumps && !returns,
            Severity::Info,
            "is not marked for checked jumps (IBT, BTI)",
        ),
        (
            RuleId::Cfi,
            returns && !jumps,
            Severity::Info,
            "is not marked for checked returns (SHSTK, PAC)",
        ),
    ]
}

fn macho(image: &Image<'_>) -> Vec<Check> {
    let facts = &image.facts;
    let needs_signature = matches!(facts.arch, Arch::Aarch64 | Arch::Arm64e);
    vec![
        (
            RuleId::Stack,
            facts.hardening.no_execute == Some(false),
            Severity::Error,
            "asks for an executable stack",
        ),
        (
            RuleId::Aslr,
            facts.hardening.position_independent == Some(false),
            image.severity(),
            "is linked for one address",
        ),
        (
            RuleId::BuildId,
            facts.build_id.is_none(),
            image.severity(),
            "has no LC_UUID",
        ),
        (
            RuleId::Signature,
            needs_signature && facts.signature.is_none(),
            Severity::Error,
            "has no signature",
        ),
        (
            RuleId::Signature,
            facts.changed_pages > 0,
            if needs_signature {
                Severity::Error
            } else {
                Severity::Warning
            },
            "was changed after it was signed: not all of its pages have the hashes of its signature",
        ),
    ]
}

fn pe(image: &Image<'_>) -> Vec<Check> {
    let (facts, ours) = (&image.facts, image.severity());
    let hardening = &facts.hardening;
    vec![
        (
            RuleId::Aslr,
            hardening.position_independent == Some(false),
            ours,
            "is linked for one address: no DYNAMICBASE",
        ),
        (
            RuleId::Aslr,
            hardening.position_independent == Some(true) && hardening.high_entropy == Some(false),
            ours,
            "is loaded into the lowest 4 GiB only: no HIGHENTROPYVA",
        ),
        (
            RuleId::Stack,
            hardening.no_execute == Some(false),
            ours,
            "does not keep its data from being executed: no NXCOMPAT",
        ),
        (
            RuleId::Cfi,
            hardening.control_flow_guard == Some(false),
            Severity::Info,
            "does not check its indirect calls: no Control Flow Guard",
        ),
        (
            RuleId::Cfi,
            hardening.shadow_stack == Some(false),
            Severity::Info,
            "is not marked for shadow stacks: no CETCOMPAT",
        ),
        // A PDB file is made or not; few wheels were ever built with one.
        (
            RuleId::BuildId,
            facts.build_id.is_none(),
            Severity::Info,
            "has no GUID for a debugger to find its PDB file by",
        ),
    ]
}
