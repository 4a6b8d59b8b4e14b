//! Fixtures that are wheels: a `wheel.toml` beside the sources says what is packed, and under which
//! name. METADATA, WHEEL and a RECORD that is right about all are added where they are not listed.

use std::io::Write as _;

use camino::Utf8Path;
use serde::Deserialize;
use zip::write::SimpleFileOptions;

use crate::wheel::{METADATA, record_line};

/// A wheel's file name and bytes.
pub(crate) type Packed = (String, Vec<u8>);

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Document {
    /// The tags of the file name and, without a WHEEL file of its own, of that one.
    tags: String,
    /// What is to be found, as the `expect:` lines of sources have it.
    #[serde(default)]
    expect: Vec<String>,
    /// Sizes follow the entries, as they do where the file cannot be gone back in.
    #[serde(default)]
    stream: bool,
    #[serde(default)]
    entry: Vec<Entry>,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Entry {
    name: String,
    /// What is in it: a text, an image of this fixture, or so many zeros.
    text: Option<String>,
    image: Option<String>,
    zeros: Option<usize>,
    mode: Option<u32>,
}

const DIST_INFO: &str = "acme-1.0.dist-info";

/// The wheel of a fixture and what is expected of it, if the fixture is one.
pub(crate) fn pack(folder: &Utf8Path, images: &Utf8Path) -> Option<(Packed, Vec<String>)> {
    let text = fs_err::read_to_string(folder.join("wheel.toml")).ok()?;
    let document: Document = toml::from_str(&text).unwrap_or_else(|e| panic!("{folder}: {e}"));
    let mut files: Vec<(String, Vec<u8>, u32)> = document
        .entry
        .iter()
        .map(|entry| {
            let bytes = match (&entry.text, &entry.image, entry.zeros) {
                (Some(text), ..) => text.clone().into_bytes(),
                (_, Some(image), _) => fs_err::read(images.join(image)).expect("the image"),
                (.., zeros) => vec![0; zeros.unwrap_or_default()],
            };
            (entry.name.clone(), bytes, entry.mode.unwrap_or(0o644))
        })
        .collect();
    let pure = document.tags == "py3-none-any";
    let tags = tags(&document.tags);
    let wheel = format!("Wheel-Version: 1.0\nRoot-Is-Purelib: {pure}\n{tags}");
    for (name, contents) in [("METADATA", METADATA), ("WHEEL", &wheel)] {
        add(&mut files, name, contents.as_bytes().to_vec());
    }
    let mut lines: String = files
        .iter()
        .map(|(name, contents, _)| record_line(name, contents))
        .collect();
    lines.push_str(&format!("{DIST_INFO}/RECORD,,\n"));
    add(&mut files, "RECORD", lines.into_bytes());
    let name = format!("acme-1.0-{}.whl", document.tags);
    Some(((name, zip(&files, document.stream)), document.expect))
}

/// Adds a file that describes the wheel, if the fixture does not bring it.
fn add(files: &mut Vec<(String, Vec<u8>, u32)>, name: &str, contents: Vec<u8>) {
    let path = format!("{DIST_INFO}/{name}");
    if !files.iter().any(|file| file.0 == path) {
        files.push((path, contents, 0o644));
    }
}

/// The lines of WHEEL about the tags of a file name, of which the platforms may be several.
fn tags(tags: &str) -> String {
    let (start, platforms) = tags.rsplit_once('-').expect("tags");
    let platforms = platforms.split('.');
    platforms
        .map(|platform| format!("Tag: {start}-{platform}\n"))
        .collect()
}

fn zip(files: &[(String, Vec<u8>, u32)], stream: bool) -> Vec<u8> {
    if stream {
        let mut writer = zip::ZipWriter::new_stream(Vec::new());
        write(&mut writer, files);
        return writer.finish().expect("memory").into_inner();
    }
    let mut writer = zip::ZipWriter::new(std::io::Cursor::new(Vec::new()));
    write(&mut writer, files);
    writer.finish().expect("memory").into_inner()
}

fn write<W: std::io::Write + std::io::Seek>(
    writer: &mut zip::ZipWriter<W>,
    files: &[(String, Vec<u8>, u32)],
) {
    for (name, contents, mode) in files {
        let options = SimpleFileOptions::default().unix_permissions(*mode);
        writer
            .start_file(name.as_str(), options)
            .expect("a new entry");
        writer.write_all(contents).expect("memory");
    }
}
