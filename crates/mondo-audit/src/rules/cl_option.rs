//! `cl-option`: command-line options of LLVM that two images register.

use crate::definitions::{Definitions, across, definitions};
use crate::finding::{Finding, Severity};
use crate::image::Image;
use crate::input_kind::InputKind;
use crate::llvm_statics::is_option;
use crate::rule::{Check, Rule};
use crate::rule_id::RuleId;

pub(super) const RULE: Rule = Rule {
    id: RuleId::ClOption,
    applies_to: InputKind::IMAGES,
    severity: Severity::Error,
    summary: "command-line options of LLVM live in one image",
    explanation: "Finds classes of LLVM command-line options whose vtable is in two images, in \
          the mangling of either C++ ABI. Each of these images has its own registry of options.",
    rationale: "Every cl::opt registers itself when its image is loaded. Two images that share one \
          parser abort with \"option registered more than once\"; two with a parser each disagree \
          about every option's value.",
    remedy: "link LLVM into one image only",
    sources: &["LLVM: include/llvm/Support/CommandLine.h; Itanium C++ ABI, 5.2.3 Virtual Tables"],
    checks: &[Check::Process(check)],
};

fn check(images: &[&Image<'_>]) -> Vec<Finding> {
    let options: Vec<Definitions<'_>> = images
        .iter()
        .map(|image| definitions(image, is_option))
        .collect();
    let nouns = [
        "type of command-line option",
        "types of command-line option",
    ];
    across(images, &options, &RULE, nouns, |_| "")
}
