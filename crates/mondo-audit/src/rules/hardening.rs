//! `textrel`, `relro`, `bind-now`, `stack`, `build-id`: what the linker has to leave behind.

use crate::{Finding, Image, Rule, RuleId, Severity};

pub(crate) const TEXTREL: Rule = Rule {
    title: "code is never written to",
    why: "Text relocations make the loader patch code pages: they can no longer be shared between \
          processes, and hardened systems refuse to load the image.",
    fix: "compile everything with -fPIC and link with `-z text`, which names the object at fault",
};

pub(crate) const RELRO: Rule = Rule {
    title: "relocated data is read-only after start",
    why: "Without PT_GNU_RELRO vtables and the global offset table stay writable, the first thing \
          an exploit of a memory error writes to.",
    fix: "link with `-z relro`",
};

pub(crate) const BIND_NOW: Rule = Rule {
    title: "all symbols are bound at load",
    why: "With lazy binding a missing function shows itself at its first call instead of at import, \
          and the PLT's table stays writable whatever RELRO says.",
    fix: "link with `-z now`",
};

pub(crate) const STACK: Rule = Rule {
    title: "the stack is not executable",
    why: "One image that asks for an executable stack makes every thread's stack in the process \
          executable; newer systems refuse to dlopen it. An assembly file without a \
          `.note.GNU-stack` section is enough.",
    fix: "link with `-z noexecstack`, and add `.section .note.GNU-stack,\"\",@progbits` to assembly",
};

pub(crate) const BUILD_ID: Rule = Rule {
    title: "an image has a build-id",
    why: "Debuggers, profilers and crash reports find an image's symbols by its build-id; without \
          one a stack trace from a user cannot be read.",
    fix: "link with `--build-id`",
};

pub(crate) fn check(image: &Image<'_>) -> Vec<Finding> {
    let facts = &image.facts;
    let ours = image.severity();
    let checks = [
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
            ours,
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
    ];
    checks
        .into_iter()
        .filter(|&(_, wrong, ..)| wrong)
        .map(|(rule, _, severity, what)| Finding::new(rule, severity, facts.name, what))
        .collect()
}
