//! `mondo cache`.

use std::time::{Duration, SystemTime};

use mondo_build::toolchain::{cache_dir, cache_inventory};
use mondo_build::{Error, ErrorKind, Result};
use serde_json::json;

use crate::args::{CacheArgs, CacheCommand};
use crate::console;
use crate::program::to_json;

const DAY: u64 = 60 * 60 * 24;

/// Shows, checks or clears the cache.
pub(super) fn run(args: &CacheArgs, json: bool) -> Result<()> {
    match &args.command {
        CacheCommand::Dir => dir(json),
        CacheCommand::List => list(json),
        CacheCommand::Verify => verify(json),
        CacheCommand::Gc(args) => gc(u64::from(args.days), json),
    }
}

fn dir(json: bool) -> Result<()> {
    let dir = cache_dir()?;
    console::out(if json {
        to_json(&json!({ "dir": dir }))?
    } else {
        dir.into_string()
    });
    Ok(())
}

fn list(json: bool) -> Result<()> {
    let entries = cache_inventory::entries(&cache_dir()?)?;
    if json {
        console::out(to_json(&entries)?);
        return Ok(());
    }
    let now = SystemTime::now().duration_since(SystemTime::UNIX_EPOCH);
    let now = now.map_or(0, |since| since.as_secs());
    for entry in &entries {
        let days = now.saturating_sub(entry.used) / DAY;
        console::out(format!(
            "{:<12} {:>10}  {days:>4} days ago  {}",
            entry.kind,
            megabytes(entry.bytes),
            entry.name
        ));
    }
    let bytes = entries.iter().map(|entry| entry.bytes).sum();
    console::out(format!("{} entries, {}", entries.len(), megabytes(bytes)));
    Ok(())
}

fn verify(json: bool) -> Result<()> {
    let verified = cache_inventory::verify(&cache_dir()?)?;
    if json {
        console::out(to_json(&verified)?);
    } else {
        let without = match verified.without_record {
            0 => String::new(),
            count => format!(", {count} without a record"),
        };
        console::out(format!("{} entries are intact{without}", verified.whole));
    }
    if verified.damaged.is_empty() {
        return Ok(());
    }
    let stays = verified.damaged.iter().any(|one| !one.removed);
    let lines = verified.damaged.iter().map(|one| {
        let removed = if one.removed {
            "removed"
        } else {
            "still there"
        };
        format!("{} ({removed}): {}", one.path, one.why)
    });
    Err(Error::new(
        ErrorKind::Integrity,
        format!("{} cache entries are damaged", verified.damaged.len()),
    )
    .details(lines)
    .help(if stays {
        "remove the entries that remain, or make the cache writable and run again"
    } else {
        "build again to recreate them; wheels built since the damage may contain it"
    }))
}

fn gc(days: u64, json: bool) -> Result<()> {
    let age = Duration::from_secs(days * DAY);
    let removed = cache_inventory::remove_unused(&cache_dir()?, age)?;
    console::out(if json {
        to_json(&removed)?
    } else {
        let count = removed.removed.len();
        format!("removed {count} entries, {}", megabytes(removed.bytes))
    });
    Ok(())
}

fn megabytes(bytes: u64) -> String {
    format!("{}.{} MB", bytes / 1_000_000, bytes / 100_000 % 10)
}
