//! The operations of a file, with their regions and blocks.

use crate::dictionaries::Dictionary;
use crate::error::Error;
use crate::reader::Reader;
use crate::records::{Limits, Records, part};
use crate::section::Section;
use crate::tables::Tables;
use crate::use_lists::{Scope, Uses, orders};

/// The levels of regions, in which MLIR's verifier, printer and destructors recurse: they take some 4 kB of
/// stack for each.
const DEPTH: usize = 1000;

/// The walk over all operations, without recursion: a file nests as deep as its length allows.
#[derive(Debug)]
pub(crate) struct Operations<'a> {
    tables: &'a Tables,
    version: u64,
    limits: Limits,
    uses: Uses,
    /// The parts that are being read: the section of operations, and within it that of each open region
    /// that is isolated from above.
    readers: Vec<Reader<'a>>,
    scopes: Vec<Scope>,
    parents: Vec<Parent>,
    /// The number of operations so far.
    number: usize,
    pub(crate) dictionaries: Vec<Dictionary>,
    has_orders: bool,
}

/// An operation whose regions are being read.
#[derive(Debug)]
struct Parent {
    /// True if its regions have a scope of values of their own, and from version 2 on a section.
    isolated: bool,
    has_section: bool,
    /// The regions that have not begun.
    regions: usize,
    /// The region that has.
    open: Option<Region>,
}

#[derive(Debug)]
struct Region {
    blocks: usize,
    /// The blocks that have not begun.
    blocks_left: usize,
    /// The operations of the present block that have not begun.
    operations_left: usize,
    values: usize,
}

/// Reads all operations of a section, and returns their dictionaries.
pub(crate) fn check(
    tables: &Tables,
    version: u64,
    section: Reader<'_>,
) -> Result<Vec<Dictionary>, Error> {
    let mut first = Operations::new(tables, version, Uses::NotCounted);
    first.read(section)?;
    // Few files state orders, which alone need the numbers of uses.
    if first.has_orders {
        Operations::new(tables, version, Uses::Counted).read(section)?;
    }
    Ok(first.dictionaries)
}

impl<'a> Operations<'a> {
    pub(crate) fn new(tables: &'a Tables, version: u64, uses: Uses) -> Self {
        Self {
            tables,
            version,
            limits: Limits::new(tables, version),
            uses,
            readers: Vec::new(),
            scopes: Vec::new(),
            parents: Vec::new(),
            number: 0,
            dictionaries: Vec::new(),
            has_orders: false,
        }
    }

    pub(crate) fn read(&mut self, section: Reader<'a>) -> Result<(), Error> {
        self.readers.push(section);
        self.scopes.push(Scope::new(self.uses));
        self.top_level()?;
        while let Some(parent) = self.parents.last_mut() {
            let Some(region) = &mut parent.open else {
                if parent.regions == 0 {
                    self.close_parent();
                } else {
                    parent.regions -= 1;
                    self.open_region()?;
                }
                continue;
            };
            if region.operations_left > 0 {
                self.operations()?;
            } else if region.blocks_left > 0 {
                region.blocks_left -= 1;
                self.block_header()?;
            } else {
                let values = region.values;
                parent.open = None;
                self.scope().pop(values)?;
            }
        }
        Ok(())
    }

    fn reader(&mut self) -> &mut Reader<'a> {
        // The first one stays to the end.
        let last = self.readers.len() - 1;
        &mut self.readers[last]
    }

    fn scope(&mut self) -> &mut Scope {
        // The first one stays to the end.
        let last = self.scopes.len() - 1;
        &mut self.scopes[last]
    }

    fn region(&mut self) -> Option<&mut Region> {
        self.parents.last_mut()?.open.as_mut()
    }

    /// The block at the top level, which has no arguments: MLIR has no scope for them yet.
    fn top_level(&mut self) -> Result<(), Error> {
        let at = self.reader().offset();
        let (operations_left, has_arguments) = self.reader().flagged_count("operations")?;
        if has_arguments {
            return Err(Error::new(at, "the block at the top level has arguments"));
        }
        self.scope().push(0);
        self.parents.push(Parent {
            isolated: false,
            has_section: false,
            regions: 0,
            open: Some(Region {
                blocks: 1,
                blocks_left: 0,
                operations_left,
                values: 0,
            }),
        });
        Ok(())
    }

    fn close_parent(&mut self) {
        let Some(parent) = self.parents.pop() else {
            return;
        };
        if parent.isolated {
            self.scopes.pop();
        }
        if parent.has_section {
            self.readers.pop();
        }
    }

    fn open_region(&mut self) -> Result<(), Error> {
        let reader = self.reader();
        let blocks = reader.count("blocks")?;
        if blocks == 0 {
            return Ok(());
        }
        // Each value takes at least the byte of its type.
        let values = reader.count("values")?;
        self.scope().push(values);
        if let Some(parent) = self.parents.last_mut() {
            parent.open = Some(Region {
                blocks,
                blocks_left: blocks - 1,
                operations_left: 0,
                values,
            });
        }
        self.block_header()
    }

    fn block_header(&mut self) -> Result<(), Error> {
        let version = self.version;
        let (operations, has_arguments) = self.reader().flagged_count("operations")?;
        if let Some(region) = self.region() {
            region.operations_left = operations;
        }
        if !has_arguments {
            return Ok(());
        }
        let (attributes, types) = (self.tables.attributes, self.tables.types);
        let reader = self.reader();
        let arguments = reader.count("arguments")?;
        for _ in 0..arguments {
            let has_location = if version >= 4 {
                reader.flagged_index(types, "types")?.1
            } else {
                reader.index(types, "types")?;
                true
            };
            if has_location {
                reader.index(attributes, "attributes")?;
            }
        }
        let at = reader.offset();
        let first = self.scope().define(arguments, at)?;
        if version >= 3 && self.reader().byte()? != 0 {
            self.has_orders = true;
            let orders = orders(self.reader(), arguments)?;
            self.scope().order(first, &orders);
        }
        Ok(())
    }

    /// Reads some of the operations that the present block has left.
    fn operations(&mut self) -> Result<(), Error> {
        let region = self
            .parents
            .last_mut()
            .and_then(|parent| parent.open.as_mut());
        let (Some(region), Some(reader), Some(scope)) =
            (region, self.readers.last_mut(), self.scopes.last_mut())
        else {
            return Ok(());
        };
        if self.uses == Uses::NotCounted {
            let free = scope.free();
            // Results count as values only where the region has some.
            let records = Records::read(
                reader.bytes(),
                &self.limits,
                region.operations_left,
                scope.values(),
                if region.values == 0 { usize::MAX } else { free },
                self.number,
                &mut self.dictionaries,
            );
            self.number += records.count;
            reader.pass(records.length);
            region.operations_left -= records.count;
            if region.values != 0 {
                scope.define(records.results, reader.offset())?;
            }
            if region.operations_left == 0 {
                return Ok(());
            }
        }
        region.operations_left -= 1;
        self.operation()
    }

    /// Reads an operation, and says what is wrong with it.
    fn operation(&mut self) -> Result<(), Error> {
        let (tables, version) = (*self.tables, self.version);
        let (blocks, defines) = self
            .region()
            .map_or((0, false), |region| (region.blocks, region.values != 0));
        let (Some(place), Some(scope)) = (self.readers.last_mut(), self.scopes.last_mut()) else {
            return Ok(());
        };
        // A copy stays in registers.
        let mut local = *place;
        let reader = &mut local;
        reader.index(tables.operation_names, "operation names")?;
        let parts = reader.byte()?;
        reader.index(tables.attributes, "attributes")?;
        if parts & part::ATTRIBUTES != 0 {
            self.dictionaries.push(Dictionary {
                operation: self.number,
                attribute: reader.index(tables.attributes, "attributes")?,
            });
        }
        self.number += 1;
        if parts & part::PROPERTIES != 0 {
            if version < 5 {
                return Err(reader.error(format!("properties in a file of version {version}")));
            }
            reader.index(tables.properties, "properties")?;
        }
        let mut results = 0;
        if parts & part::RESULTS != 0 {
            results = reader.count("results")?;
            for _ in 0..results {
                reader.index(tables.types, "types")?;
            }
        }
        if parts & part::OPERANDS != 0 {
            for _ in 0..reader.count("operands")? {
                scope.operand(reader)?;
            }
        }
        if parts & part::SUCCESSORS != 0 {
            for _ in 0..reader.count("successors")? {
                reader.index(blocks, "blocks of the region")?;
            }
        }
        let mut stated = Vec::new();
        if version >= 3 && parts & part::USE_LIST_ORDERS != 0 {
            self.has_orders = true;
            stated = orders(reader, results)?;
        }
        let (mut regions, mut isolated) = (0, false);
        if parts & part::REGIONS != 0 {
            (regions, isolated) = reader.flagged_count("regions")?;
        }
        if defines && results != 0 {
            let first = scope.define(results, reader.offset())?;
            scope.order(first, &stated);
        }
        *place = local;
        if regions == 0 {
            return Ok(());
        }
        let reader = place;
        let has_section = isolated && version >= 2;
        if has_section {
            let (kind, contents) = reader.section()?;
            if kind != Section::Ir {
                let message = format!("a section {kind:?} in the place of a region's");
                return Err(contents.error(message));
            }
            self.readers.push(contents);
        }
        if isolated {
            self.scopes.push(Scope::new(self.uses));
        }
        if self.parents.len() > DEPTH {
            let message = format!("regions nest deeper than {DEPTH} levels");
            return Err(self.reader().error(message));
        }
        self.parents.push(Parent {
            isolated,
            has_section,
            regions,
            open: None,
        });
        Ok(())
    }
}
