//! The check of a wheel's size against the manifest's limit.

use mondo_core::error::{Error, ErrorKind, Result};
use mondo_link::link::map::SizeMap;
use mondo_plan::manifest::WheelPlan;

use crate::size::mega;

/// The number of archives that an error names, the largest first.
const SHOWN: usize = 8;

/// Refuses a wheel of `bytes` that is larger than `wheel` allows.
pub(super) fn check(wheel: &WheelPlan, name: &str, bytes: u64, sizes: &SizeMap) -> Result<()> {
    let Some(budget) = wheel.size_budget.filter(|budget| bytes > *budget) else {
        return Ok(());
    };
    let largest = sizes.archives.iter().take(SHOWN);
    Err(
        Error::new(ErrorKind::Wheel, "the wheel is larger than its budget")
            .at(name)
            .because(format!(
                "it has {}, but `wheel.size-budget` allows {}; these are the largest archives of \
             the library, uncompressed",
                mega(bytes),
                mega(budget)
            ))
            .details(largest.map(|image| format!("{} {}", mega(image.bytes), image.name)))
            .help(
                "run `mondo size --why ARCHIVE` to see what keeps an archive, and remove that \
             from `[contents]`; set `link.sort-for-compression`, `link.unwind-tables = \
             \"none\"` and `wheel.compression = \"best\"`; or raise the budget",
            ),
    )
}

#[cfg(test)]
mod tests {
    use super::*;
    use mondo_link::link::map::Sized;

    #[test]
    fn a_wheel_over_its_budget_is_refused_with_what_is_largest() {
        let sizes = SizeMap {
            archives: vec![Sized {
                name: "libMLIRIR.a".into(),
                bytes: 744_018,
            }],
            ..SizeMap::default()
        };
        let wheel = WheelPlan {
            best: false,
            size_budget: Some(2_000_000),
            single: false,
        };
        check(&wheel, "x.whl", 2_000_000, &sizes).unwrap();
        let error = check(&wheel, "x.whl", 2_000_001, &sizes).unwrap_err();
        assert_eq!(error.kind(), ErrorKind::Wheel);
        let text = error.to_string();
        assert!(text.contains("0.744 MB libMLIRIR.a"), "{text}");
        check(&WheelPlan::default(), "x.whl", u64::MAX, &sizes).unwrap();
    }
}
