//! The report's text and JSON, word for word.

use crate::linked;
use mondo_audit::{Input, audit, report};

#[test]
fn the_report_groups_by_image_and_explains_each_rule_once() {
    let case = linked::link(&linked::fixtures().join("exports_version"));
    let bytes = fs_err::read(&case.images[0]).expect("the image");
    let input = Input {
        name: "libacme.so",
        bytes: &bytes,
    };
    let mut result = audit(&[input], &case.policy).expect("readable");
    result.images[0].file_size = 0;
    insta::assert_snapshot!(report::text(&result), @r"
    libacme.so: 0 bytes, x86_64, 2 exports, 4 imports
      error[exports]: 1 export not under the version node ACME_2
        - acme_old (under ACME_1)
        why: Every exported name takes part in symbol lookup of the whole process. A leaked C++ name lets two packages that both contain LLVM bind to each other's functions, vtables and statics, which corrupts memory long after the import. A name without the label's version node can be taken for another package's function of the same name.
        fix: link with a version script that lists the C API functions under the version node and ends in `local: *;`

    FAILED: 1 image, 1 error, 0 warnings, 0 notes
    ");
    insta::assert_snapshot!(
        serde_json::to_string_pretty(&result.findings).expect("serializable"), @r#"
    [
      {
        "image": "libacme.so",
        "severity": "error",
        "rule": "exports",
        "what": "1 export not under the version node ACME_2",
        "offenders": [
          {
            "name": "acme_old",
            "note": "under ACME_1"
          }
        ],
        "fix": "link with a version script that lists the C API functions under the version node and ends in `local: *;`"
      }
    ]
    "#);
}

#[test]
fn many_offenders_are_cut_short_and_origins_are_printed() {
    let case = linked::link(&linked::fixtures().join("clean"));
    let bytes = fs_err::read(&case.images[0]).expect("the image");
    let mut policy = case.policy.clone();
    for expect in policy.images.values_mut() {
        expect.exports = Some((0..12).map(|number| format!("acme_{number:02}")).collect());
    }
    let input = Input {
        name: "libacme.so",
        bytes: &bytes,
    };
    let mut result = audit(&[input], &policy).expect("readable");
    for finding in &mut result.findings {
        finding.offenders[0].origin = Some("libacme.a(answer.o)".to_owned());
    }
    let text = report::text(&result);
    assert!(
        text.contains("- acme_00 from libacme.a(answer.o)\n"),
        "{text}"
    );
    assert!(text.contains("- acme_09\n      … and 2 more\n"), "{text}");
    assert!(
        text.ends_with("FAILED: 1 image, 2 errors, 0 warnings, 0 notes; glibc 2.14\n"),
        "{text}"
    );
}
