//! Files that are made here byte by byte, sound and damaged.

use crate::error::Error;
use crate::operations::Operations;
use crate::reader::Reader;
use crate::section::Section;
use crate::sections::Sections;
use crate::tables::Tables;
use crate::use_lists::Uses;
use crate::{check, check_file};

/// A variable-width integer of one byte, or of nine where it takes more.
fn varint(value: u64) -> Vec<u8> {
    match u8::try_from(value) {
        Ok(small) if small < 128 => vec![small << 1 | 1],
        _ => [&[0][..], &value.to_le_bytes()].concat(),
    }
}

fn flagged(value: u64, flag: bool) -> Vec<u8> {
    varint(value << 1 | u64::from(flag))
}

fn section(kind: u8, contents: &[u8]) -> Vec<u8> {
    [vec![kind], varint(contents.len() as u64), contents.to_vec()].concat()
}

/// The parts of a file of version 6 with one dialect `d`, one operation name `d.o`, one attribute, one
/// type and no properties.
struct File {
    strings: Vec<u8>,
    dialects: Vec<u8>,
    entries: Vec<u8>,
    offsets: Vec<u8>,
    operations: Vec<u8>,
    resources: Option<(Vec<u8>, Vec<u8>)>,
}

impl File {
    fn new(operations: &[Vec<u8>]) -> Self {
        Self {
            strings: [varint(2), varint(2), varint(2), b"d\0o\0".to_vec()].concat(),
            dialects: [
                varint(1),
                flagged(0, false),
                varint(1),
                varint(0),
                varint(1),
                flagged(1, true),
            ]
            .concat(),
            entries: b"a\0t\0".to_vec(),
            offsets: [varint(1), varint(1), group(1, 2), group(1, 2)].concat(),
            operations: operations.concat(),
            resources: None,
        }
    }

    fn bytes(&self) -> Vec<u8> {
        let mut file = [
            b"ML\xefR".to_vec(),
            varint(6),
            b"test\0".to_vec(),
            section(0, &self.strings),
            section(1, &self.dialects),
            section(2, &self.entries),
            section(3, &self.offsets),
            section(4, &self.operations),
            section(8, &[]),
        ]
        .concat();
        if let Some((contents, offsets)) = &self.resources {
            file.extend(section(5, contents));
            file.extend(section(6, offsets));
        }
        file
    }

    fn message(&self) -> String {
        check_file(&self.bytes())
            .expect_err("it is damaged")
            .message()
            .to_owned()
    }
}

/// A group of one entry of the first dialect, which says that it has `count`.
fn group(count: u64, size: u64) -> Vec<u8> {
    [varint(0), varint(count), flagged(size, false)].concat()
}

/// An operation with these parts, and what belongs to them.
fn operation(parts: u8, rest: &[Vec<u8>]) -> Vec<u8> {
    [varint(0), vec![parts], varint(0), rest.concat()].concat()
}

/// The header of a block without arguments.
fn block(operations: u64) -> Vec<u8> {
    flagged(operations, false)
}

/// An operation with one region that is not isolated, of one block with `values` values.
fn region(values: u64, operations: &[Vec<u8>]) -> Vec<u8> {
    let header = [
        flagged(1, false),
        varint(1),
        varint(values),
        block(operations.len() as u64),
    ];
    operation(1 << 4, &[header.concat(), operations.concat()])
}

/// An operation with one result.
fn definition() -> Vec<u8> {
    operation(1 << 1, &[varint(1), varint(0)])
}

/// An operation whose operand is twice the first value.
fn use_twice() -> Vec<u8> {
    operation(1 << 2, &[varint(2), varint(0), varint(0)])
}

#[test]
fn sound_files_pass() {
    for operations in [
        vec![block(0)],
        vec![block(1), operation(0, &[])],
        vec![block(1), region(1, &[definition(), use_twice()])],
        // A use before the definition.
        vec![block(1), region(1, &[use_twice(), definition()])],
    ] {
        check(&File::new(&operations).bytes()).expect("it is sound");
    }
    // An isolated region, which has a section of its own.
    let inner = section(4, &[varint(1), varint(1), block(1), definition()].concat());
    let outer = operation(1 << 4, &[flagged(1, true), inner]);
    check(&File::new(&[block(1), outer]).bytes()).expect("it is sound");
}

#[test]
fn the_text_of_a_module_is_no_bytecode() {
    assert!(!crate::is_bytecode(b"module {}"));
    assert_eq!(check(b"module {}").expect_err("it is text").offset(), 0);
}

#[test]
fn a_newer_version_is_left_to_mlir() {
    check(&[b"ML\xefR".to_vec(), varint(7)].concat()).expect("MLIR refuses it");
}

#[test]
fn every_prefix_of_a_file_is_damaged() {
    let file = File::new(&[block(1), region(1, &[definition(), use_twice()])]).bytes();
    for length in 0..file.len() {
        assert!(
            check_file(&file[..length]).is_err(),
            "the first {length} bytes"
        );
    }
}

#[test]
fn groups_agree_with_the_counts_of_their_table() {
    let mut file = File::new(&[block(0)]);
    file.offsets = [varint(1), varint(1), group(2, 2), group(1, 2)].concat();
    assert_eq!(
        file.message(),
        "a group of 2 attributes, of which 1 are left"
    );
    file.offsets = [varint(100), varint(1), group(1, 2), group(1, 2)].concat();
    assert!(
        file.message()
            .starts_with("100 attributes are announced, and")
    );
    file.offsets = [varint(1), varint(1), group(1, 2), group(1, 3)].concat();
    assert_eq!(file.message(), "3 bytes are announced, and 2 are left");
}

#[test]
fn a_string_has_its_nul() {
    let mut file = File::new(&[block(0)]);
    file.strings = [varint(2), varint(4), varint(0), b"d\0o\0".to_vec()].concat();
    assert_eq!(file.message(), "a string does not end with a NUL");
    file.strings = [varint(2), varint(9), varint(2), b"d\0o\0".to_vec()].concat();
    assert_eq!(file.message(), "a string of 9 bytes is too long");
}

#[test]
fn the_top_level_block_has_no_arguments() {
    let file = File::new(&[flagged(0, true), varint(1), flagged(0, false), vec![0]]);
    assert_eq!(file.message(), "the block at the top level has arguments");
}

#[test]
fn indices_are_inside_of_their_tables() {
    let of = |operation: Vec<u8>| File::new(&[block(1), operation]).message();
    let values = of(region(
        1,
        &[definition(), operation(1 << 2, &[varint(1), varint(1)])],
    ));
    assert_eq!(
        values,
        "the index 1 is outside of the table of values, which has 1"
    );
    let types = of(operation(1 << 1, &[varint(1), varint(3)]));
    assert_eq!(
        types,
        "the index 3 is outside of the table of types, which has 1"
    );
    let successor = of(operation(1 << 3, &[varint(1), varint(1)]));
    assert_eq!(
        successor,
        "the index 1 is outside of the table of blocks of the region, which has 1"
    );
    let defined = of(region(1, &[definition(), definition()]));
    assert_eq!(defined, "more values are defined than the 1 of the regions");
}

#[test]
fn the_order_of_uses_has_an_index_for_each() {
    let ordered = |indices: &[u64], pairs| {
        let orders: Vec<u8> = indices.iter().flat_map(|index| varint(*index)).collect();
        let stated = [flagged(indices.len() as u64, pairs), orders].concat();
        let definition = operation(1 << 1 | 1 << 5, &[varint(1), varint(0), stated]);
        File::new(&[block(1), region(1, &[definition, use_twice()])])
    };
    check_file(&ordered(&[1, 0], false).bytes()).expect("it is sound");
    check_file(&ordered(&[0, 1, 1, 0], true).bytes()).expect("it is sound");
    assert_eq!(
        ordered(&[0, 1, 9, 0], true).message(),
        "the order of 2 uses of a value has the index 9"
    );
    assert_eq!(
        ordered(&[0, 1, 1], true).message(),
        "a pair of indices of uses lacks its half"
    );
}

#[test]
fn resources_are_of_a_kind_and_aligned() {
    let resource = |kind: u8, contents: &[u8]| {
        let offsets = [
            varint(0),
            varint(0),
            varint(1),
            varint(1),
            varint(contents.len() as u64),
            vec![kind],
        ];
        let mut file = File::new(&[block(0)]);
        file.resources = Some((contents.to_vec(), offsets.concat()));
        file
    };
    check_file(&resource(0, &[varint(1), varint(1), vec![7]].concat()).bytes()).expect("a blob");
    check_file(&resource(1, &[1]).bytes()).expect("a boolean");
    check_file(&resource(2, &varint(1)).bytes()).expect("a string");
    check_file(&resource(9, &[]).bytes()).expect("a declaration");
    assert_eq!(
        resource(9, &[1]).message(),
        "there is no kind 9 of resource"
    );
    assert_eq!(resource(1, &[2]).message(), "2 is not a boolean");
    let blob = [varint((1 << 32) + 1), varint(1), vec![7]].concat();
    assert_eq!(
        resource(0, &blob).message(),
        "the alignment 4294967297 is not a power of two below 2^32"
    );
}

/// Every change of one byte of a file ends in a result, and in none that takes longer than the file.
#[test]
fn no_change_of_one_byte_panics() {
    let file = File::new(&[block(1), region(1, &[definition(), use_twice()])]).bytes();
    for at in 0..file.len() {
        for byte in 0..=u8::MAX {
            let mut changed = file.clone();
            changed[at] = byte;
            let _ = check_file(&changed);
        }
    }
}

/// The same value in so many bytes, of which fewer would do.
fn wide(value: u64, bytes: u32) -> Vec<u8> {
    let word = (value << bytes) | 1 << (bytes - 1);
    word.to_le_bytes()[..bytes as usize].to_vec()
}

/// The verdict of the reader that takes each record apart, without [`crate::records`].
fn one_by_one(bytes: &[u8]) -> Result<(), Error> {
    let mut reader = Reader::new(bytes, 0);
    reader.magic()?;
    let version = reader.varint()?;
    reader.terminated()?;
    let sections = Sections::read(reader, version)?;
    let tables = Tables::read(&sections, version)?;
    let operations = sections.required(Section::Ir)?;
    Operations::new(&tables, version, Uses::Counted).read(operations)
}

/// Whole records are read in another way than damaged ones, with the same verdict.
#[test]
fn records_are_read_alike() {
    let record = |width: u32| {
        let zero = wide(0, width);
        let types = [zero.clone(), zero.clone()].concat();
        [
            zero.clone(),
            vec![1 << 1 | 1 << 2],
            zero.clone(),
            wide(2, width),
            types,
            wide(1, width),
            wide(1, width),
        ]
        .concat()
    };
    let records: Vec<_> = (0..40).map(|index| record(index % 5 + 1)).collect();
    let file = File::new(&[block(1), region(80, &records)]).bytes();
    check_file(&file).expect("it is sound");
    one_by_one(&file).expect("it is sound");
    let mut refused = 0;
    for at in 6..file.len() {
        for byte in [0, 1, 2, 3, 4, 5, 8, 0x10, 0x40, 0x80, 0xa1, 0xff] {
            let mut changed = file.clone();
            changed[at] = byte;
            let verdict = check_file(&changed).map(drop);
            assert_eq!(verdict, one_by_one(&changed), "byte {at} is {byte}");
            refused += usize::from(verdict.is_err());
        }
    }
    assert!(refused > 1000, "{refused} files were refused");
}

/// Places in files, which most attributes are, are read in another way than other attributes.
#[test]
fn places_are_read_alike() {
    const PLACE: u64 = 11;
    let place = |name: u64, name_size, line_size, column_size| {
        let parts = [
            varint(PLACE),
            wide(name, name_size),
            wide(3, line_size),
            wide(4, column_size),
        ];
        parts.concat()
    };
    let (string, index) = ([varint(2), varint(0)].concat(), [varint(1)]);
    let mut attributes = vec![string];
    for sizes in [
        (1, 1, 1),
        (2, 1, 3),
        (3, 2, 1),
        (1, 4, 1),
        (1, 5, 2),
        (4, 1, 1),
        (1, 1, 8),
    ] {
        attributes.push(place(0, sizes.0, sizes.1, sizes.2));
    }
    check_file(&builtin(&attributes, &index).bytes()).expect("it is sound");
    for damaged in [
        // Names that do not exist, of each width.
        place(100, 1, 1, 1),
        place(100, 2, 1, 1),
        place(100, 3, 1, 1),
        // Of itself.
        place(8, 1, 1, 1),
        // Without a column, and with half a line.
        place(0, 1, 1, 1)[..3].to_vec(),
        place(0, 1, 4, 1)[..4].to_vec(),
    ] {
        let file = builtin(
            &[&attributes[..], std::slice::from_ref(&damaged)].concat(),
            &index,
        );
        check_file(&file.bytes()).expect_err(&format!("{damaged:?} is damaged"));
    }
}

/// A file whose attributes and types are the builtin dialect's, in binary.
fn builtin(attributes: &[Vec<u8>], types: &[Vec<u8>]) -> File {
    let group = |entries: &[Vec<u8>]| {
        let sizes = entries
            .iter()
            .map(|entry| flagged(entry.len() as u64, true));
        let count = entries.len() as u64;
        [varint(0), varint(count), sizes.collect::<Vec<_>>().concat()].concat()
    };
    let counts = [attributes.len() as u64, types.len() as u64];
    let strings = [varint(2), varint(2), varint(8), b"builtin\0o\0".to_vec()];
    File {
        strings: strings.concat(),
        entries: [attributes.concat(), types.concat()].concat(),
        offsets: [
            varint(counts[0]),
            varint(counts[1]),
            group(attributes),
            group(types),
        ]
        .concat(),
        ..File::new(&[block(0)])
    }
}

/// An array of one attribute.
fn array_of(attribute: u64) -> Vec<u8> {
    [varint(0), varint(1), varint(attribute)].concat()
}

#[test]
fn numbers_are_as_wide_as_their_type() {
    let (f32_type, f80_type) = (varint(5), varint(7));
    let float = |of: u64, rest: &[u8]| [varint(9), varint(of), rest.to_vec()].concat();
    let words = [varint(2), varint(1), varint(2)].concat();
    for sound in [float(0, &varint(1 << 31)), float(1, &words)] {
        let file = builtin(&[sound], &[f32_type.clone(), f80_type.clone()]);
        check_file(&file.bytes()).expect("it is sound");
    }
    for (damaged, message) in [
        (
            float(0, &[0xc0, 0, 0]),
            "the data end in the middle of an integer",
        ),
        (
            float(1, &varint(9)),
            "9 words are announced, and 0 bytes are left",
        ),
    ] {
        let file = builtin(&[damaged], &[f32_type.clone(), f80_type.clone()]);
        assert_eq!(file.message(), message);
    }
    let file = builtin(&[float(0, &varint(1))], &[varint(1)]);
    assert_eq!(
        file.message(),
        "a float attribute of a type that is not a float"
    );
}

#[test]
fn dense_arrays_have_elements_with_a_width() {
    let array = |count: u64| {
        let bytes = [0; 8];
        [
            &varint(17)[..],
            &varint(0),
            &varint(count),
            &varint(8),
            &bytes,
        ]
        .concat()
    };
    let [index, f64_type] = [1, 6].map(varint);
    let file = builtin(&[array(1)], &[f64_type]);
    check_file(&file.bytes()).expect("it is sound");
    let file = builtin(&[array(1)], &[index]);
    assert_eq!(
        file.message(),
        "a dense array of elements that are not numbers"
    );
}

#[test]
fn entries_do_not_refer_to_themselves() {
    for cycle in [
        vec![array_of(0)],
        vec![array_of(1), array_of(2), array_of(0)],
    ] {
        let file = builtin(&cycle, &[varint(1)]);
        assert_eq!(file.message(), "an attribute or type refers to itself");
    }
    let message = "attributes and types nest deeper than MLIR can follow";
    for length in [3000, 3001] {
        let unit = varint(7);
        let forward: Vec<_> = (1..length).map(array_of).chain([unit.clone()]).collect();
        let backward = [unit]
            .into_iter()
            .chain((1..length).map(|index| array_of(index - 1)));
        for chain in [forward, backward.collect()] {
            let file = builtin(&chain, &[varint(1)]);
            match length {
                3000 => drop(check_file(&file.bytes()).expect("it is sound")),
                _ => assert_eq!(file.message(), message),
            }
        }
    }
}

#[test]
fn regions_nest_to_a_limit() {
    let nested = |levels| {
        let inside = (0..levels).fold(operation(0, &[]), |inside, _| region(0, &[inside]));
        File::new(&[block(1), inside])
    };
    check_file(&nested(1000).bytes()).expect("it is sound");
    assert_eq!(
        nested(1001).message(),
        "regions nest deeper than 1000 levels"
    );
}

/// The names in the dictionary of an operation, which are strings of the table.
#[test]
fn names_of_dictionaries() {
    // A string, a dictionary with it as its name and its value, and an array.
    let string = [varint(2), varint(1)].concat();
    let dictionary = [varint(1), varint(1), varint(0), varint(0)].concat();
    let attributes = [string, dictionary, array_of(0)];
    let with = |attribute: u64| {
        let plain = operation(0, &[]);
        let named = operation(1, &[varint(attribute)]);
        File {
            operations: [
                block(3),
                plain,
                region(0, std::slice::from_ref(&named)),
                named,
            ]
            .concat(),
            ..builtin(&attributes, &[varint(1)])
        }
    };
    let file = with(1).bytes();
    let names: Vec<_> = check(&file)
        .expect("it is sound")
        .names
        .iter()
        .map(|name| (name.operation, name.name))
        .collect();
    assert_eq!(names, [(2, &b"o"[..]), (3, &b"o"[..])]);
    assert_eq!(
        with(2).message(),
        "the attributes of an operation are not a dictionary in binary"
    );
}
