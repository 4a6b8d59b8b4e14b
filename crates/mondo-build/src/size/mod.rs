//! The size of a bundle and its causes, which `mondo size` shows.

pub mod contents;
pub mod detail;
pub mod diff;
pub mod graph;
pub mod html;
pub mod inputs;
mod object_file;
pub mod why;

/// Decimal megabytes, as package indexes count.
#[must_use]
pub fn mega(bytes: u64) -> String {
    #[expect(clippy::cast_precision_loss, reason = "shown with three decimals")]
    let mega = bytes as f64 / 1e6;
    format!("{mega:.3} MB")
}

#[cfg(test)]
mod tests {
    mod linked;
    mod made_up;
    mod pages;
}
