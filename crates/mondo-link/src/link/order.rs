//! The order of the library's functions in which it compresses best (`link.sort-for-compression`).
//!
//! lld finds it by balanced partitioning (`--bp-compression-sort=function`), which takes ten times as
//! long as the rest of the link and depends on the functions alone, not on the label. So it is found
//! in a link of its own, read from that link's map, and kept; every link takes it as a symbol ordering
//! file, whether it has just been found or not, so that the bytes are the same.

use std::collections::HashSet;
use std::io::{BufRead, BufReader};

use camino::{Utf8Path, Utf8PathBuf};
use mondo_core::cache_entry::{self, goes_on_without};
use mondo_core::error::{Error, ErrorKind, Result};

use super::command::{Archives, Sort, library_command, run};
use super::inputs::Inputs;
use super::map;

/// Returns the file with the order, one symbol per line. The order is computed if the file does not exist yet.
pub(super) fn of(inputs: Inputs<'_>, archives: &Archives) -> Result<Utf8PathBuf> {
    let entry = Utf8PathBuf::from(format!("{}-order", inputs.known));
    let path = entry.join("order");
    if cache_entry::usable(&entry, "the order of functions", inputs.sink)? {
        return Ok(path);
    }
    let out = inputs.out.join("order.so");
    let map = inputs.out.join("order.map");
    let command = library_command(inputs, archives, &out, Some(&map), Sort::Find)?
        .arg("-Wl,-O0,--build-id=none");
    run(&command, inputs)?;
    let order = read(&map)?;
    fs_err::remove_file(&out)?;
    fs_err::remove_file(&map)?;
    let put = cache_entry::put(&entry, |fresh| {
        Ok(fs_err::write(fresh.join("order"), &order)?)
    });
    match put {
        Err(error) if goes_on_without(&error, &entry, inputs.sink) => {
            let path = inputs.out.join("order");
            fs_err::write(&path, order)?;
            Ok(path)
        }
        put => put.map(|()| path),
    }
}

/// The functions of a link map in their order.
fn read(path: &Utf8Path) -> Result<String> {
    let reader = BufReader::with_capacity(1 << 20, fs_err::File::open(path)?);
    parse(reader).map_err(|error| {
        Error::new(ErrorKind::Link, "cannot read the link map")
            .at(path)
            .caused_by(error)
    })
}

/// The symbols below the output section `.text`, a line each. Local functions of one name (`main`'s
/// lambdas, constants' initialisers) are there once: lld orders the first of them.
fn parse(reader: impl BufRead) -> std::io::Result<String> {
    let mut seen: HashSet<Vec<u8>> = HashSet::new();
    let mut order = String::new();
    let mut inside = false;
    for line in reader.split(b'\n') {
        let line = line?;
        let Some((depth, name)) = map::depth_and_name(&line) else {
            continue;
        };
        match depth {
            map::Depth::Output => inside = name == b".text",
            map::Depth::Symbol if inside => {
                if let Ok(text) = std::str::from_utf8(name)
                    && seen.insert(name.to_owned())
                {
                    order.push_str(text);
                    order.push('\n');
                }
            }
            map::Depth::Input | map::Depth::Symbol => {}
        }
    }
    Ok(order)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn functions_come_in_the_order_of_the_map_and_once() {
        let map = "             VMA              LMA     Size Align Out     In      Symbol\n\
                   \x20            2a8              2a8       24     4 .rodata\n\
                   \x20            2a8              2a8       24     4         a.o:(.rodata.x)\n\
                   \x20            2a8              2a8       24     4                 x\n\
                   \x20            400              400       24     4 .text\n\
                   \x20            400              400       24     4         a.o:(.text.g)\n\
                   \x20            400              400       24     4                 g\n\
                   \x20            424              424       24     4         b.o:(.text.f)\n\
                   \x20            424              424       24     4                 f\n\
                   \x20            448              448       24     4         c.o:(.text.g)\n\
                   \x20            448              448       24     4                 g\n\
                   \x20            500              500       24     4 .data\n\
                   \x20            500              500       24     4         a.o:(.data.y)\n\
                   \x20            500              500       24     4                 y\n";
        assert_eq!(parse(map.as_bytes()).unwrap(), "g\nf\n");
    }
}
