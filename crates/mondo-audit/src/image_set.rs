//! Set of the images that can meet in one process, with indexes by library, symbol and version.

use std::collections::{BTreeSet, HashMap, HashSet};

use crate::image::Image;
use crate::image_facts::Format;
use crate::library_lookup::{Providers, is_system};
use crate::policy::Role;

/// The maximum number of images that are compared with each other. No process loads so many, and the number of
/// findings about pairs grows with their square.
pub(crate) const MOST_IMAGES: usize = 4096;

/// A set of images that can meet in one process, with indexes. Without an index a crafted set would take quadratic
/// time: one image can define a name as often as another one refers to it.
pub(crate) struct ImageSet<'s, 'a> {
    pub(crate) images: &'s [Image<'a>],
    pub(crate) providers: Providers<'s, usize>,
    /// For each image: the images of the set that it needs, and true if it needs libraries outside of the set too.
    pub(crate) needs: Vec<(Vec<usize>, bool)>,
    /// By name: the images that define it, with the first version of each.
    pub(crate) definers: HashMap<&'s str, Vec<(usize, Option<&'s str>)>>,
    /// By name and version.
    pub(crate) versions: HashMap<(&'s str, Option<&'s str>), Vec<usize>>,
    /// True if any image is a Python extension.
    pub(crate) extensions: bool,
}

impl<'s, 'a> ImageSet<'s, 'a> {
    pub(crate) fn new(images: &'s [Image<'a>]) -> Self {
        let providers = Providers::new(images.iter().zip(0..));
        let needs = images.iter().map(|image| {
            let format = image.facts.format;
            let libraries: HashSet<&str> = image.facts.needed.iter().copied().collect();
            let of_set = libraries
                .iter()
                .flat_map(|library| providers.of(format, library));
            let found: BTreeSet<usize> = of_set.copied().collect();
            let elsewhere = libraries.iter().any(|library| {
                !is_system(format, library) && providers.of(format, library).is_empty()
            });
            (found.into_iter().collect(), elsewhere)
        });
        let needs = needs.collect();
        let mut definers: HashMap<&str, Vec<(usize, Option<&str>)>> = HashMap::new();
        let mut versions: HashMap<_, Vec<usize>> = HashMap::new();
        // In PE every reference names its library, so PE images need no index by name alone.
        let flat = images.iter().enumerate();
        for (at, image) in flat.filter(|(_, image)| image.facts.format != Format::Pe) {
            for export in &image.facts.exports {
                let name = &*export.name;
                let known = definers.entry(name).or_default();
                if known.last().is_none_or(|last| last.0 != at) {
                    known.push((at, export.version));
                }
                let known = versions.entry((name, export.version)).or_default();
                if known.last() != Some(&at) {
                    known.push(at);
                }
            }
        }
        Self {
            images,
            providers,
            needs,
            definers,
            versions,
            extensions: images
                .iter()
                .any(|image| matches!(image.role, Role::Extension { .. })),
        }
    }

    /// The images that the loader would take for this library.
    pub(crate) fn given(&self, format: Format, library: &str) -> Vec<&'s Image<'a>> {
        let found = self.providers.of(format, library).iter();
        found.map(|&at| &self.images[at]).collect()
    }
}
