//! The mirrors in apt's configuration. Its files are only read: apt need not be installed.

use camino::{Utf8Path, Utf8PathBuf};

use crate::host::Host;

/// The addresses of package archives in the host's `sources.list` and `sources.list.d`, each once. Files that cannot be
/// read have none.
pub(super) fn addresses(host: &Host) -> Vec<String> {
    let mut found = Vec::new();
    for file in &files(host, "sources.list") {
        for address in in_file(file) {
            if !found.contains(&address) {
                found.push(address);
            }
        }
    }
    found
}

/// Whether apt is configured to take indexes that have expired, as those of snapshots have.
pub(super) fn are_snapshots(host: &Host) -> bool {
    files(host, "apt.conf").iter().any(|file| {
        let text = fs_err::read_to_string(file).unwrap_or_default();
        text.lines().any(|line| {
            let value = line.trim().strip_prefix("Acquire::Check-Valid-Until");
            let value = value.map(|value| value.trim().trim_end_matches(';').trim_matches('"'));
            matches!(value, Some("false" | "no" | "0"))
        })
    })
}

/// The file `name` of apt's configuration, and those in the folder `name.d`, in order.
fn files(host: &Host, name: &str) -> Vec<Utf8PathBuf> {
    let apt = host.root.join("etc/apt");
    let parts = apt.join(format!("{name}.d")).read_dir_utf8();
    let mut parts: Vec<_> = parts
        .into_iter()
        .flatten()
        .filter_map(|entry| Some(entry.ok()?.into_path()))
        .collect();
    parts.sort();
    parts.insert(0, apt.join(name));
    parts
}

fn in_file(file: &Utf8Path) -> Vec<String> {
    let text = fs_err::read_to_string(file).unwrap_or_default();
    let addresses = match file.extension() {
        Some("list") => one_line(&text),
        Some("sources") => deb822(&text),
        _ => Vec::new(),
    };
    // Addresses of other schemes, such as `cdrom:` and `mirror+file:`, are apt's own.
    addresses
        .into_iter()
        .filter(|address| address.starts_with("http://") || address.starts_with("https://"))
        .collect()
}

/// Reads lines such as `deb [arch=amd64] http://… bookworm main`.
fn one_line(text: &str) -> Vec<String> {
    let address = |line: &str| {
        let line = line.split('#').next()?.trim();
        let rest = line.strip_prefix("deb")?;
        if !rest.starts_with([' ', '\t', '[']) {
            return None;
        }
        let rest = rest.trim_start();
        let rest = match rest.strip_prefix('[') {
            Some(options) => options.split_once(']')?.1,
            None => rest,
        };
        let mut words = rest.split_whitespace();
        let address = words.next()?;
        words.any(|word| word == "main").then(|| address.to_owned())
    };
    text.lines().filter_map(address).collect()
}

/// Reads paragraphs of fields, as sources.list(5) describes them.
fn deb822(text: &str) -> Vec<String> {
    let mut found = Vec::new();
    let mut paragraph: Vec<(String, String)> = Vec::new();
    // An empty line ends the last paragraph too.
    for line in text.lines().chain([""]) {
        if line.starts_with('#') {
            continue;
        }
        if line.trim().is_empty() {
            found.extend(of_paragraph(&paragraph));
            paragraph.clear();
        } else if line.starts_with([' ', '\t']) {
            if let Some((_, value)) = paragraph.last_mut() {
                value.push(' ');
                value.push_str(line.trim());
            }
        } else if let Some((field, value)) = line.split_once(':') {
            paragraph.push((field.to_lowercase(), value.trim().to_owned()));
        }
    }
    found
}

fn of_paragraph(paragraph: &[(String, String)]) -> Vec<String> {
    let words = |wanted: &str| -> Vec<&str> {
        let field = paragraph.iter().find(|(field, _)| field == wanted);
        field.map_or_else(Vec::new, |(_, value)| value.split_whitespace().collect())
    };
    let enabled = !words("enabled").contains(&"no");
    if enabled && words("types").contains(&"deb") && words("components").contains(&"main") {
        words("uris").into_iter().map(str::to_owned).collect()
    } else {
        Vec::new()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn apts_word_about_expired_indexes_is_read() {
        let dir = tempfile::tempdir().unwrap();
        let root = Utf8Path::from_path(dir.path()).unwrap();
        let host = Host::at(root);
        assert!(!are_snapshots(&host));
        let parts = root.join("etc/apt/apt.conf.d");
        fs_err::create_dir_all(&parts).unwrap();
        for (text, expected) in [
            ("Acquire::Check-Valid-Until \"false\";\n", true),
            ("Acquire::Check-Valid-Until \"true\";\n", false),
            ("// Acquire::Check-Valid-Until \"false\";\n", false),
        ] {
            fs_err::write(parts.join("99own"), text).unwrap();
            assert_eq!(are_snapshots(&host), expected, "{text}");
        }
    }

    #[test]
    fn both_formats_are_read() {
        let dir = tempfile::tempdir().unwrap();
        let root = Utf8Path::from_path(dir.path()).unwrap();
        let parts = root.join("etc/apt/sources.list.d");
        fs_err::create_dir_all(&parts).unwrap();
        let lines = "# deb http://off.example/debian bookworm main\n\
                     deb [signed-by=/a.gpg arch=amd64] http://one.example/debian bookworm main # why\n\
                     deb-src http://source.example/debian bookworm main\n\
                     deb cdrom:[Debian]/ bookworm main\n\
                     deb http://extra.example/x bookworm contrib\n\
                     deb\thttp://one.example/debian bookworm-updates main\n";
        fs_err::write(root.join("etc/apt/sources.list"), lines).unwrap();
        let fields = "Types: deb deb-src\n# a comment\nURIs: https://two.example/debian\n \
                      http://three.example/debian\nSuites: trixie\nComponents: main\n\n\
                      Enabled: no\nTypes: deb\nURIs: http://off.example/debian\nComponents: main\n\n\
                      Types: deb-src\nURIs: http://source.example/debian\nComponents: main\n";
        fs_err::write(parts.join("b.sources"), fields).unwrap();
        fs_err::write(parts.join("c.list.save"), lines).unwrap();
        let host = Host::at(root);
        assert_eq!(
            addresses(&host),
            [
                "http://one.example/debian",
                "https://two.example/debian",
                "http://three.example/debian",
            ]
        );
        let host = Host::at(&root.join("nowhere"));
        assert_eq!(addresses(&host), [] as [&str; 0]);
    }
}
