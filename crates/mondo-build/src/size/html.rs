//! `--html`: the tree as one page with a treemap, which asks nothing of the network.

use super::tree::Sizes;
use crate::error::{Error, ErrorKind, Result};

const PAGE: &str = include_str!("treemap.html");
const PLACE: &str = "/*SIZES*/";

/// The page.
pub fn html(sizes: &Sizes) -> Result<String> {
    let data = serde_json::to_string(sizes)
        .map_err(|error| Error::new(ErrorKind::Io, "the sizes are not JSON").caused_by(error))?;
    // A name with `</script>` in it would end the element that holds the data.
    Ok(PAGE.replace(PLACE, &data.replace("</", "<\\/")))
}
