//! The trie of exports: edges are labelled with parts of names, and nodes have the data of a name.
//!
//! Nodes refer to their children by offset, so a crafted trie can be a cycle, or a graph with exponentially many
//! paths. In a valid trie each node is reached once, and the reader enforces that.

use std::collections::HashSet;

use object::macho::ExportSymbolFlags;

/// A name with what its node says.
#[derive(Debug)]
pub(super) struct Node {
    pub(super) name: Vec<u8>,
    pub(super) flags: ExportSymbolFlags,
    /// The address relative to the image, or the ordinal of the library it is passed on from.
    pub(super) value: u64,
}

/// A defect, and its offset in the trie in bytes.
pub(super) type Broken = (&'static str, usize);

/// Every name of the trie, in the trie's order. There are at most `nodes` nodes, and names are together not longer than
/// `most` bytes.
pub(super) fn read(trie: &[u8], nodes: usize, most: usize) -> Result<Vec<Node>, Broken> {
    let mut found = Vec::new();
    let mut left = most;
    let mut seen = HashSet::new();
    // Nodes still to be visited: the offset of a node, and the name that leads to it. A name is
    // held for each waiting node, which `left` bounds as well.
    let mut waiting = vec![(0, Vec::new())];
    if trie.is_empty() {
        return Ok(found);
    }
    while let Some((at, name)) = waiting.pop() {
        if !seen.insert(at) {
            return Err(("two edges lead to one node", at));
        }
        if seen.len() + waiting.len() > nodes {
            return Err(("it has more nodes than the file can honestly have", at));
        }
        let mut cursor = Cursor { bytes: trie, at };
        let size = cursor.number()?;
        let children = usize::try_from(size)
            .ok()
            .and_then(|size| cursor.at.checked_add(size))
            .filter(|&end| end <= trie.len())
            .ok_or(("a node reaches beyond the trie", at))?;
        if size > 0 {
            let mut node = terminal(&mut cursor)?;
            node.name.clone_from(&name);
            found.push(node);
        }
        cursor.at = children;
        let first = waiting.len();
        for _ in 0..cursor.byte()? {
            let edge = cursor.string()?;
            let child = usize::try_from(cursor.number()?)
                .ok()
                .filter(|&child| child < trie.len())
                .ok_or(("an edge leads out of the trie", cursor.at))?;
            let mut child_name = name.clone();
            child_name.extend_from_slice(edge);
            left = left
                .checked_sub(child_name.len())
                .ok_or(("its names are longer than the file", cursor.at))?;
            waiting.push((child, child_name));
        }
        // The last pushed is visited first.
        waiting[first..].reverse();
    }
    Ok(found)
}

fn terminal(cursor: &mut Cursor<'_>) -> Result<Node, Broken> {
    Ok(Node {
        name: Vec::new(),
        flags: ExportSymbolFlags(cursor.number()?),
        value: cursor.number()?,
    })
}

struct Cursor<'a> {
    bytes: &'a [u8],
    at: usize,
}

impl<'a> Cursor<'a> {
    fn byte(&mut self) -> Result<u8, Broken> {
        let byte = self.bytes.get(self.at).copied();
        let byte = byte.ok_or(("it ends inside a node", self.at))?;
        self.at += 1;
        Ok(byte)
    }

    /// An unsigned LEB128 number.
    fn number(&mut self) -> Result<u64, Broken> {
        let start = self.at;
        let mut value = 0;
        for shift in (0..64).step_by(7) {
            let byte = self.byte()?;
            let bits = u64::from(byte & 0x7f);
            if shift == 63 && bits > 1 {
                break;
            }
            value |= bits << shift;
            if byte & 0x80 == 0 {
                return Ok(value);
            }
        }
        Err(("a number is longer than 64 bits", start))
    }

    /// Bytes up to a NUL.
    fn string(&mut self) -> Result<&'a [u8], Broken> {
        let rest = self.bytes.get(self.at..).unwrap_or_default();
        let end = memchr::memchr(0, rest).ok_or(("a string without an end", self.at))?;
        self.at += end + 1;
        Ok(&rest[..end])
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A node without children.
    const LEAF: &[u8] = &[2, 0, 8, 0];

    #[test]
    fn names_are_made_of_their_edges() {
        // The root has the edge `_a` to offset 10, which stands for itself and has `b` to 17.
        let mut trie = vec![0, 1];
        trie.extend(b"_a\0");
        trie.push(6);
        trie.extend([2, 4, 16, 1]);
        trie.extend(b"b\0");
        trie.push(13);
        trie.extend(LEAF);
        let nodes = read(&trie, 9, 100).expect("a trie");
        let found: Vec<(&[u8], u64, u64)> = nodes
            .iter()
            .map(|node| (&*node.name, node.flags.0, node.value))
            .collect();
        assert_eq!(found, [(&b"_a"[..], 4, 16), (&b"_ab"[..], 0, 8)]);
        assert_eq!(
            read(&trie, 9, 4).expect_err("too long").0,
            "its names are longer than the file"
        );
    }

    #[test]
    fn circles_and_shared_nodes_are_refused() {
        let circle = [0, 1, b'a', 0, 0];
        assert_eq!(
            read(&circle, 9, 100).expect_err("a circle"),
            ("two edges lead to one node", 0)
        );
        let mut shared = vec![0, 2, b'a', 0, 8, b'b', 0, 8];
        shared.extend(LEAF);
        assert_eq!(
            read(&shared, 9, 100).expect_err("shared"),
            ("two edges lead to one node", 8)
        );
    }

    #[test]
    fn what_is_cut_short_is_refused_with_its_place() {
        assert_eq!(read(&[0], 9, 9).expect_err("short").1, 1);
        assert_eq!(read(&[0, 1, b'a'], 9, 9).expect_err("short").1, 2);
        assert_eq!(read(&[9, 0, 8, 0], 9, 9).expect_err("short").1, 0);
        assert_eq!(read(&[0xff; 12], 9, 9).expect_err("long").1, 0);
        assert!(read(&[], 0, 0).expect("empty").is_empty());
    }
}
