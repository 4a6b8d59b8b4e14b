//! The scan of a wheel, in a single pass: each entry is unpacked, hashed, checked, read and dropped.
//!
//! Memory is bounded by two buffers. The first has the size of the largest entry that must be unpacked; entries
//! larger than a quarter of it use this buffer one after the other. The second has a quarter of that size; the other
//! entries share it, as many at once as fit. So a scan takes 1.25 times the largest entry, and the data that it keeps
//! about each entry. That data is limited as well: by the compressed size of each image (`read/names.rs`), and by the
//! number of images.

use std::cmp::Reverse;
use std::collections::HashMap;
use std::sync::OnceLock;

use rayon::prelude::*;
use ring::digest::{Digest, SHA256, digest};

use crate::finding::Finding;
use crate::image::{Image, Reading, Sum};
use crate::image_facts::Facts;
use crate::image_set::MOST_IMAGES;
use crate::policy::Policy;
use crate::read::error::{ReadError, Unreadable};
use crate::read::names::NameBudget;
use crate::read::sbom::sbom_defect;
use crate::read::wheel::{Entry, Wheel, is_sbom};
use crate::read::{is_called_an_image, is_image, parts};
use crate::record_file::{Listed, NoRecord};
use crate::string_arena::StringArena;

/// The most entries that are scanned at once. The number of images is counted between batches, so that the same images
/// are read on every machine.
const BATCH: usize = 512;

/// A wheel in the form that rules get.
#[derive(Debug)]
pub(crate) struct WheelContents<'w> {
    pub(crate) wheel: &'w Wheel<'w>,
    /// RECORD, or the reason why it cannot be read.
    pub(crate) listed: Result<Listed, NoRecord>,
    /// One for each entry.
    seen: Vec<EntryScan>,
}

/// Data about an entry that outlives its bytes.
#[derive(Debug, Default)]
pub(crate) struct EntryScan {
    /// Its contents, for METADATA and WHEEL; empty for others.
    pub(crate) text: Vec<u8>,
    /// The defect of a bill of materials.
    pub(crate) sbom: Option<String>,
    pub(crate) is_image: bool,
    /// True if it is an image that was not read, because the wheel has too many.
    pub(crate) over_limit: bool,
    /// The file that it names, if it has the name of an image and is a linker script.
    pub(crate) linker_script: Option<String>,
    /// Its digest by the algorithm that RECORD names for it.
    pub(crate) digest: Option<Digest>,
    /// Its SHA-256, if another entry has the same size and CRC-32.
    pub(crate) sum: Option<Sum>,
}

impl WheelContents<'_> {
    /// The entries with the data that the scan kept about each.
    pub(crate) fn entries(&self) -> impl Iterator<Item = (&Entry<'_>, &EntryScan)> {
        self.wheel.entries.iter().zip(&self.seen)
    }

    /// Data about the first entry of this name.
    pub(crate) fn seen(&self, name: &str) -> Option<&EntryScan> {
        self.seen.get(self.wheel.place(name)?)
    }

    /// Contents of METADATA or WHEEL, or the defect as the sentence of a finding.
    pub(crate) fn text(&self, name: &str) -> Option<Result<&str, String>> {
        let place = self.wheel.place(name)?;
        if self.wheel.entries[place].zip.unread {
            return Some(Err(format!("{name} was not read")));
        }
        let text = std::str::from_utf8(&self.seen.get(place)?.text);
        Some(text.map_err(|_| format!("{name} is not UTF-8")))
    }
}

/// The result of scanning a wheel.
#[derive(Debug)]
pub(crate) struct WheelScan<'w> {
    pub(crate) contents: WheelContents<'w>,
    /// Its images, in the order of its entries.
    pub(crate) images: Vec<Image<'w>>,
    /// Findings of the checks over bytes.
    pub(crate) findings: Vec<Finding>,
    pub(crate) unreadable: Unreadable<'w>,
}

/// Arena of the names of one entry, filled by the scan.
pub(crate) type Arena = OnceLock<StringArena>;

/// Check over the bytes of an entry: its name, its bytes, and its images with their offsets.
pub(crate) type CheckBytes<'c> =
    &'c (dyn Fn(&str, &[u8], &[(u64, &Facts<'_>)]) -> Vec<Finding> + Sync);

/// An empty arena for each entry of a wheel.
pub(crate) fn arenas(wheel: &Wheel<'_>) -> Vec<Arena> {
    wheel.entries.iter().map(|_| OnceLock::new()).collect()
}

/// Looks at every entry of a wheel, once.
pub(crate) fn scan_wheel<'w>(
    wheel: &'w Wheel<'_>,
    policy: &'w Policy,
    arenas: &'w [Arena],
    check: CheckBytes<'_>,
) -> Result<WheelScan<'w>, ReadError> {
    let scanner = Scanner::new(wheel, policy, arenas, check)?;
    let mut order: Vec<(usize, usize)> = Vec::with_capacity(wheel.entries.len());
    for (at, entry) in wheel.entries.iter().enumerate() {
        order.push((wheel.room(entry)?, at));
    }
    order.sort_unstable_by_key(|&(room, at)| (Reverse(room), at));
    let part = order.first().map_or(0, |(largest, _)| largest / 4);
    let (large, rest) = order.split_at(order.partition_point(|(room, _)| *room > part));
    let (large, rest) = rayon::join(
        || scanner.one_by_one(large),
        || scanner.together(rest, part),
    );
    let mut found = large?;
    found.extend(rest?);
    found.sort_unstable_by_key(|(at, _)| *at);

    let mut scan = WheelScan {
        contents: WheelContents {
            wheel,
            listed: scanner.listed,
            seen: Vec::with_capacity(found.len()),
        },
        images: Vec::new(),
        findings: Vec::new(),
        unreadable: Vec::new(),
    };
    for (_, one) in found {
        scan.contents.seen.push(one.seen);
        scan.images.extend(one.images);
        scan.findings.extend(one.findings);
        scan.unreadable.extend(one.unreadable);
    }
    Ok(scan)
}

/// Result of reading one entry.
#[derive(Default)]
struct One<'w> {
    /// Number of images that were read or could not be read.
    parts: usize,
    seen: EntryScan,
    images: Vec<Image<'w>>,
    findings: Vec<Finding>,
    unreadable: Unreadable<'w>,
}

/// Arguments of the pass, shared by all entries.
struct Scanner<'w, 'c> {
    wheel: &'w Wheel<'w>,
    policy: &'w Policy,
    arenas: &'w [Arena],
    listed: Result<Listed, NoRecord>,
    /// Number of entries by size and CRC.
    alike: HashMap<(u64, u32), usize>,
    check: CheckBytes<'c>,
    dist_info: String,
}

impl<'w, 'c> Scanner<'w, 'c> {
    fn new(
        wheel: &'w Wheel<'_>,
        policy: &'w Policy,
        arenas: &'w [Arena],
        check: CheckBytes<'c>,
    ) -> Result<Self, ReadError> {
        let mut alike: HashMap<(u64, u32), usize> = HashMap::new();
        for entry in &wheel.entries {
            *alike.entry((entry.zip.size, entry.zip.crc)).or_default() += 1;
        }
        Ok(Self {
            wheel,
            policy,
            arenas,
            listed: Listed::read(wheel)?,
            alike,
            check,
            dist_info: format!("{}/", wheel.dist_info().unwrap_or_default()),
        })
    }

    /// Scans entries one after the other in one buffer, those that need the largest buffer first.
    fn one_by_one(&self, order: &[(usize, usize)]) -> Result<Vec<(usize, One<'w>)>, ReadError> {
        let mut room = vec![0; order.first().map_or(0, |(largest, _)| *largest)];
        let mut parts = 0;
        let mut found = Vec::with_capacity(order.len());
        for &(size, at) in order {
            let one = self.look(at, &mut room[..size], parts < MOST_IMAGES)?;
            parts += one.parts;
            found.push((at, one));
        }
        Ok(found)
    }

    /// Scans entries in parallel, as many at once as fit into the buffer.
    fn together(
        &self,
        mut order: &[(usize, usize)],
        most: usize,
    ) -> Result<Vec<(usize, One<'w>)>, ReadError> {
        let sizes = order.iter().map(|(size, _)| *size);
        let mut room = vec![0; most.min(sizes.fold(0, usize::saturating_add))];
        let mut parts = 0;
        let mut found = Vec::with_capacity(order.len());
        while !order.is_empty() {
            let within_limit = parts < MOST_IMAGES;
            let mut left = room.as_mut_slice();
            let mut batch = Vec::new();
            while let Some((&(size, at), rest)) = order.split_first()
                && batch.len() < BATCH
            {
                let Some((own, others)) = std::mem::take(&mut left).split_at_mut_checked(size)
                else {
                    break;
                };
                batch.push((at, own));
                (left, order) = (others, rest);
            }
            let looks = batch.into_par_iter();
            let looks = looks.map(|(at, room)| Ok((at, self.look(at, room, within_limit)?)));
            let batch = looks.collect::<Result<Vec<_>, ReadError>>()?;
            parts += batch.iter().map(|(_, one)| one.parts).sum::<usize>();
            found.extend(batch);
        }
        Ok(found)
    }

    /// Scans an entry. An image is read if the wheel is `within_limit`.
    fn look(&self, at: usize, room: &mut [u8], within_limit: bool) -> Result<One<'w>, ReadError> {
        let wheel: &'w Wheel<'w> = self.wheel;
        let entry: &'w Entry<'w> = &wheel.entries[at];
        let bytes = wheel.unpack_into(entry, room)?;
        // In parallel, because hashing a file for RECORD takes as long as everything else.
        let ((digest, sum), (mut one, readings)) = rayon::join(
            || self.hashes(entry, bytes),
            || self.read(at, bytes, within_limit),
        );
        (one.seen.digest, one.seen.sum) = (digest, sum);
        let image = |reading| Image::new(&entry.name, Some(&wheel.name), reading, sum, self.policy);
        one.images = readings.into_iter().map(image).collect();
        Ok(one)
    }

    /// Hash by the algorithm in RECORD, and the SHA-256 that is compared with other entries.
    fn hashes(&self, entry: &Entry<'_>, bytes: &[u8]) -> (Option<Digest>, Option<Sum>) {
        let listed = self.listed.as_ref().ok();
        let algorithm = listed.and_then(|listed| listed.algorithm(entry, self.wheel));
        let found = algorithm.map(|algorithm| digest(algorithm, bytes));
        let twin = self.alike[&(entry.zip.size, entry.zip.crc)] > 1;
        let sum = twin.then(|| match found {
            Some(found) if algorithm == Some(&SHA256) => sum_of(found),
            _ => sum_of(digest(&SHA256, bytes)),
        });
        (found, sum)
    }

    fn read(&self, at: usize, bytes: &[u8], within_limit: bool) -> (One<'w>, Vec<Reading<'w>>) {
        let name: &'w str = &self.wheel.entries[at].name;
        let mut one = One::default();
        one.seen.is_image = is_image(name, bytes);
        if is_called_an_image(name) && !one.seen.is_image {
            one.seen.linker_script = linker_script_input(bytes).map(str::to_owned);
        }
        match name.strip_prefix(&self.dist_info) {
            // Rules read the first entry of a name. A wheel may repeat one name almost as often as it has bytes.
            Some("METADATA" | "WHEEL") if self.wheel.place(name) == Some(at) => {
                one.seen.text = bytes.to_vec();
            }
            Some(path) if is_sbom(path) && !self.wheel.entries[at].zip.unread => {
                one.seen.sbom = sbom_defect(bytes);
            }
            _ => {}
        }

        let mut all = Vec::new();
        one.seen.over_limit = one.seen.is_image && !within_limit;
        if one.seen.is_image && within_limit {
            match parts(name, bytes) {
                Ok(found) => all = found,
                Err(error) => one.unreadable.push((name, error)),
            }
            one.parts = all.len().max(1);
        }
        let packed = self.wheel.entries[at].packed_size();
        let budget = NameBudget::for_entry(bytes.len(), packed);
        let read = |part| Reading::within(part, budget.share(part.bytes.len(), bytes.len()));
        let read: Vec<_> = all.par_iter().map(read).collect();
        let mut readings = Vec::with_capacity(read.len());
        for reading in read {
            match reading {
                Ok(reading) => readings.push(reading),
                Err(error) => one.unreadable.push((name, error)),
            }
        }
        let images: Vec<_> = readings
            .iter()
            .map(|one| (one.offset, &one.facts))
            .collect();
        one.findings = (self.check)(name, bytes, &images);
        let kept = self.arenas[at].get_or_init(|| StringArena::of(&readings, bytes));
        (one, kept.readings(readings))
    }
}

/// Converts a digest of ring to the bytes of a SHA-256.
pub(crate) fn sum_of(digest: Digest) -> Sum {
    let mut sum = Sum::default();
    sum.copy_from_slice(digest.as_ref());
    sum
}

/// The file name in a GNU linker script that is `INPUT(<file name>)`, after comments, and nothing
/// else.
fn linker_script_input(bytes: &[u8]) -> Option<&str> {
    let mut text = std::str::from_utf8(bytes).ok()?.trim();
    while let Some(comment) = text.strip_prefix("/*") {
        text = comment.split_once("*/")?.1.trim_start();
    }
    let input = text.strip_prefix("INPUT")?.trim_start();
    let name = input.strip_prefix('(')?.strip_suffix(')')?.trim();
    let plain = |c: char| c.is_ascii_alphanumeric() || "._+-".contains(c);
    (!name.is_empty() && !name.starts_with('-') && name.chars().all(plain)).then_some(name)
}
