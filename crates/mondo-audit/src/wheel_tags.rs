//! Compatibility tags in the file name of a wheel.

use std::collections::BTreeSet;

/// The tags of a wheel's file name, `name-version(-build)?-python-abi-platform.whl`, expanded; `None`
/// where there are none, or more than [`MOST_TAGS`].
pub(crate) fn file_tags(name: &str) -> Option<BTreeSet<String>> {
    let parts: Vec<&str> = name.strip_suffix(".whl")?.split('-').collect();
    let ([_, _, pythons, abis, platforms] | [_, _, _, pythons, abis, platforms]) = parts[..] else {
        return None;
    };
    if name.len() > LONGEST_NAME {
        return None;
    }
    let count = [pythons, abis, platforms]
        .iter()
        .try_fold(1_usize, |all, part| {
            all.checked_mul(part.split('.').count())
        });
    if count.is_none_or(|count| count > MOST_TAGS) {
        return None;
    }
    let mut tags = BTreeSet::new();
    for python in pythons.split('.') {
        for abi in abis.split('.') {
            for platform in platforms.split('.') {
                tags.insert(format!("{python}-{abi}-{platform}"));
            }
        }
    }
    Some(tags)
}

/// Most tags that a file name may expand to. Real ones expand to a dozen.
const MOST_TAGS: usize = 4096;

/// The longest file name that file systems take.
const LONGEST_NAME: usize = 255;

/// The lowest CPython of an abi3 wheel, by its file name: `(3, 10)` of `cp310-abi3`.
pub(crate) fn abi3_minimum(name: &str) -> Option<(u32, u32)> {
    file_tags(name.rsplit('/').next()?)?
        .iter()
        .filter_map(|tag| {
            let (python, rest) = tag.split_once('-')?;
            rest.starts_with("abi3-").then_some(())?;
            Some((3, python.strip_prefix("cp3")?.parse().ok()?))
        })
        .min()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn file_names_are_expanded() {
        let tags = file_tags("a-1-cp310-abi3-manylinux_2_17_x86_64.manylinux2014_x86_64.whl");
        let tags: Vec<String> = tags.expect("valid").into_iter().collect();
        assert_eq!(
            tags,
            [
                "cp310-abi3-manylinux2014_x86_64",
                "cp310-abi3-manylinux_2_17_x86_64"
            ]
        );
        assert_eq!(
            file_tags("a-1-2-py3-none-any.whl").map(|tags| tags.len()),
            Some(1)
        );
        assert_eq!(file_tags("a-1-any.whl"), None);
        assert_eq!(
            abi3_minimum("d/a-1-cp310-abi3-linux_x86_64.whl"),
            Some((3, 10))
        );
        assert_eq!(abi3_minimum("a-1-cp310-cp310-linux_x86_64.whl"), None);
    }
}
