//! Tests that compare the model of the dynamic linker with the bindings that glibc's loader reports
//! (`LD_DEBUG=bindings`).

use std::collections::BTreeSet;

use camino::Utf8PathBuf;
use mondo_audit::{Input, Load, bindings};

use crate::linked;

/// Loads what its arguments say, in their order: `global:<path>`, `local:<path>`.
const HOST: &str = r#"
#include <dlfcn.h>
#include <stdio.h>
#include <string.h>
int main(int argc, char **argv) {
  for (int i = 1; i < argc; ++i) {
    int global = !strncmp(argv[i], "global:", 7);
    if (!dlopen(strchr(argv[i], ':') + 1, RTLD_NOW | (global ? RTLD_GLOBAL : RTLD_LOCAL)))
      return fprintf(stderr, "%s\n", dlerror()), 1;
  }
  return 0;
}
"#;

/// An image, a name, and the image that the name is bound to.
type Binding = (String, String, String);

#[test]
fn names_are_bound_as_the_loader_binds_them() {
    let root = Utf8PathBuf::from(concat!(env!("CARGO_MANIFEST_DIR"), "/tests/loader"));
    let mut folders: Vec<_> = root
        .read_dir_utf8()
        .expect("the cases")
        .map(|entry| entry.expect("an entry").into_path())
        .collect();
    folders.sort();
    assert!(folders.len() >= 6, "{folders:?}");
    for folder in folders {
        let case = linked::link(&folder);
        let bytes: Vec<(String, Vec<u8>)> = case
            .images
            .iter()
            .map(|path| {
                let name = path.file_name().expect("a name").to_owned();
                (name, fs_err::read(path).expect("the image"))
            })
            .collect();
        let inputs: Vec<Input<'_>> = bytes
            .iter()
            .map(|(name, bytes)| Input { name, bytes })
            .collect();
        let pairs: Vec<(&str, &str)> = case
            .loads
            .iter()
            .map(|line| line.split_once(' ').expect("an image and a mode"))
            .collect();
        // Each case runs as it is stated, and with local and global exchanged.
        for swapped in [false, true] {
            let global = |mode: &str| (mode == "global") != swapped;
            let loads: Vec<Load> = pairs
                .iter()
                .map(|&(image, mode)| Load {
                    image: image.to_owned(),
                    global: global(mode),
                })
                .collect();
            let args: Vec<String> = loads
                .iter()
                .map(|load| {
                    let mode = if load.global { "global" } else { "local" };
                    format!("{mode}:{}", case.dir.join(&load.image))
                })
                .collect();
            let names: BTreeSet<&str> = bytes.iter().map(|(name, _)| name.as_str()).collect();
            let trace = linked::run_traced(&case.dir, HOST, &args);
            let real: BTreeSet<Binding> = trace
                .lines()
                .filter_map(traced)
                .filter(|(from, _, to)| {
                    names.contains(from.as_str()) && names.contains(to.as_str())
                })
                .collect();
            let ours: BTreeSet<Binding> = bindings(&inputs, &loads)
                .expect("readable")
                .into_iter()
                .filter_map(|bound| Some((bound.image, bound.symbol, bound.to?)))
                .collect();
            if !swapped {
                for line in &case.expected {
                    let mut words = line.split(' ').map(str::to_owned);
                    let mut word = || words.next().expect("image, name, image");
                    let wanted = (word(), word(), word());
                    assert!(real.contains(&wanted), "{folder}: {line}\n{trace}");
                }
            }
            assert_eq!(ours, real, "{folder}, swapped: {swapped}\n{trace}");
        }
    }
}

/// A line of the loader's account: the image that asks, the name, the image that answers.
fn traced(line: &str) -> Option<Binding> {
    let (_, line) = line.split_once("binding file ")?;
    let (from, line) = line.split_once(" [0] to ")?;
    let (to, line) = line.split_once(" [0]: ")?;
    let (_, line) = line.split_once('`')?;
    let (name, _) = line.split_once('\'')?;
    let file = |path: &str| path.rsplit('/').next().unwrap_or(path).to_owned();
    Some((file(from), name.to_owned(), file(to)))
}
