//! Fixtures that are wheels: a `wheel.toml` beside the sources says what is packed, and under which
//! name. METADATA, WHEEL and a RECORD that is right about all are added where they are not listed.

use std::io::Write as _;

use camino::Utf8Path;
use serde::Deserialize;
use zip::write::SimpleFileOptions;

use crate::wheel::{METADATA, record_line};

/// A wheel's file name and bytes.
pub(crate) type Packed = (String, Vec<u8>);

/// A wheel and what is expected of it.
pub(crate) struct Case {
    pub(crate) wheel: Packed,
    pub(crate) expected: Vec<String>,
    pub(crate) says: Vec<String>,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Document {
    /// The tags of the file name and, without a WHEEL file of its own, of that one.
    tags: String,
    /// Expected findings, in the form of the `expect:` lines of sources.
    #[serde(default)]
    expect: Vec<String>,
    /// Parts of what is found, in words.
    #[serde(default)]
    says: Vec<String>,
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
    /// Contents: a text, an image of this fixture, or so many zeros.
    text: Option<String>,
    image: Option<String>,
    zeros: Option<usize>,
    /// The entry is a symbolic link to this.
    link: Option<String>,
    mode: Option<u32>,
}

/// An entry as it is packed.
struct File {
    name: String,
    bytes: Vec<u8>,
    mode: u32,
    link: bool,
}

const DIST_INFO: &str = "acme-1.0.dist-info";

/// The wheel of a fixture, if the fixture is one.
pub(crate) fn pack(folder: &Utf8Path, images: &Utf8Path) -> Option<Case> {
    let text = fs_err::read_to_string(folder.join("wheel.toml")).ok()?;
    let document: Document = toml::from_str(&text).unwrap_or_else(|e| panic!("{folder}: {e}"));
    let mut files: Vec<File> = document
        .entry
        .iter()
        .map(|entry| {
            let link = entry.link.is_some();
            let bytes = match (
                entry.text.as_ref().or(entry.link.as_ref()),
                &entry.image,
                entry.zeros,
            ) {
                (Some(text), ..) => text.clone().into_bytes(),
                (_, Some(image), _) => fs_err::read(images.join(image)).expect("the image"),
                (.., zeros) => vec![0; zeros.unwrap_or_default()],
            };
            let mode = entry.mode.unwrap_or(0o644);
            File {
                name: entry.name.clone(),
                bytes,
                mode,
                link,
            }
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
        .map(|file| record_line(&file.name, &file.bytes))
        .collect();
    lines.push_str(&format!("{DIST_INFO}/RECORD,,\n"));
    add(&mut files, "RECORD", lines.into_bytes());
    let name = format!("acme-1.0-{}.whl", document.tags);
    Some(Case {
        wheel: (name, zip(&files, document.stream)),
        expected: document.expect,
        says: document.says,
    })
}

/// Adds a file that describes the wheel, if the fixture does not bring it.
fn add(files: &mut Vec<File>, name: &str, contents: Vec<u8>) {
    let path = format!("{DIST_INFO}/{name}");
    if !files.iter().any(|file| file.name == path) {
        files.push(File {
            name: path,
            bytes: contents,
            mode: 0o644,
            link: false,
        });
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

fn zip(files: &[File], stream: bool) -> Vec<u8> {
    if stream {
        let mut writer = zip::ZipWriter::new_stream(Vec::new());
        write(&mut writer, files);
        return writer.finish().expect("memory").into_inner();
    }
    let mut writer = zip::ZipWriter::new(std::io::Cursor::new(Vec::new()));
    write(&mut writer, files);
    writer.finish().expect("memory").into_inner()
}

fn write<W: std::io::Write + std::io::Seek>(writer: &mut zip::ZipWriter<W>, files: &[File]) {
    for file in files {
        let options = SimpleFileOptions::default().unix_permissions(file.mode);
        let name = file.name.as_str();
        if file.link {
            let target = std::str::from_utf8(&file.bytes).expect("a path");
            writer
                .add_symlink(name, target, options)
                .expect("a new entry");
        } else {
            writer.start_file(name, options).expect("a new entry");
            writer.write_all(&file.bytes).expect("memory");
        }
    }
}
