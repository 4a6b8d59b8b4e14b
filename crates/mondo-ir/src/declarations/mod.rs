//! The table of C functions that are declared with the handles' own types: one row a function, one file a
//! header or a few of them. Those of dialects are in `dialects`.
//!
//! With such types the compiler sees that an argument lives and is of its kind. A function whose whole
//! contract is in its types is declared `safe fn`. One that wants more, as an index below a count, is an
//! `unsafe fn`, and its row says what it wants. A result that may be null is an `Option`. A function that
//! an older LLVM lacks says `since`; there the row calls what mondo-sys has in its place.
//!
//! A function whose second argument is an index says `below`, with the function that counts what it has an index
//! of. Such a row makes a type of the function's name as well, whose functions are safe: `at` compares the index
//! with the count. `all` iterates over what there is, where safe calls leave the count as it is while the
//! iterator is used. Where they may change it, the row says `changing` in front of the count, and has `now`
//! instead, which collects what there is.
//!
//! A function that only reads an array during the call says `slice`, with the place of the array's length among its
//! arguments; the array is the next one. Such a row makes a type of the function's name, whose function `of` is safe
//! and takes a slice for both.
//!
//! The rows are compared with the headers by a test. Functions that are in no row are called through
//! mondo-sys, at the one place that establishes what they need.

mod affine;
mod builtin_attributes;
mod builtin_types;
mod contexts;
mod floats;
mod ir;
mod locations;
mod nodes;
#[cfg(not(llvm_before = "22"))]
mod small_floats;

pub use affine::*;
pub use builtin_attributes::*;
pub use builtin_types::*;
pub use contexts::*;
pub use floats::*;
pub use ir::*;
pub use locations::*;
pub use nodes::*;
#[cfg(not(llvm_before = "22"))]
pub use small_floats::*;

use mondo_sys::MlirLogicalResult;

use crate::c_type::CType;

/// Types of the headers that are the same in declarations.
macro_rules! c_type {
    ($($rust:ty => $c:literal;)+) => {
        $(impl CType for $rust {
            type Raw = Self;

            fn name() -> String {
                $c.to_owned()
            }

            #[inline]
            fn to_raw(self) -> Self {
                self
            }

            #[inline]
            unsafe fn of_raw(raw: Self) -> Self {
                raw
            }
        })+
    };
}

c_type! {
    () => "void";
    bool => "bool";
    i8 => "int8_t";
    u8 => "uint8_t";
    i16 => "int16_t";
    u16 => "uint16_t";
    i32 => "int32_t";
    u32 => "unsigned";
    i64 => "int64_t";
    u64 => "uint64_t";
    f32 => "float";
    f64 => "double";
    isize => "intptr_t";
    MlirLogicalResult => "MlirLogicalResult";
}

/// An array, which is as long as another argument says.
impl<T: CType> CType for *const T {
    type Raw = *const T::Raw;

    fn name() -> String {
        format!("{}*", T::name())
    }

    #[inline]
    fn to_raw(self) -> Self::Raw {
        self.cast()
    }

    #[inline]
    unsafe fn of_raw(raw: Self::Raw) -> Self {
        raw.cast()
    }
}

/// The type of an array as the C API has it.
pub trait Array {
    /// The type of the elements.
    type Element;
}

impl<T> Array for *const T {
    type Element = T;
}

/// A row of the table.
#[cfg(test)]
#[derive(Debug)]
pub(crate) struct Row {
    pub(crate) header: &'static str,
    pub(crate) function: &'static str,
    pub(crate) arguments: Vec<String>,
    pub(crate) result: String,
    pub(crate) since: Option<&'static str>,
    pub(crate) needs: Option<&'static str>,
    /// The function that counts what this one has an index of.
    pub(crate) below: Option<&'static str>,
    /// The place of a slice's length among the arguments; the pointer is behind it.
    pub(crate) slice: Option<usize>,
}

/// Declares functions of headers, and the test's `table` of them.
macro_rules! declarations {
    ($($header:literal { $(
        $name:ident($($argument:ident: $type:ty),*) -> $result:ty
            $(, since $since:tt)? $(, below $($count:ident)+)? $(, slice $slice:tt)?
            $(, needs $needs:literal)?;
    )+ })+) => {
        $($($crate::declarations::declarations!(
            @declare [$($since)?] $header $name($($argument: $type),*) -> $result
                $(, below $($count)+)? $(, slice $slice)? $(, $needs)?
        );)+)+

        /// The rows of this file.
        #[cfg(test)]
        #[allow(
            clippy::extra_unused_lifetimes,
            clippy::let_unit_value,
            reason = "the rows' types name the lifetime, where there are any"
        )]
        pub(crate) fn table<'ctx>() -> Vec<$crate::declarations::Row> {
            use $crate::c_type::CType;
            vec![$($($crate::declarations::Row {
                header: $header,
                function: stringify!($name),
                arguments: vec![$(<$type as CType>::name()),*],
                result: <$result as CType>::name(),
                since: $crate::declarations::declarations!(@option $($since)?),
                needs: $crate::declarations::declarations!(@option $($needs)?),
                below: $crate::declarations::declarations!(@count $($($count)+)?),
                slice: $crate::declarations::declarations!(@option $($slice)?),
            },)+)+]
        }
    };
    (
        @declare [$($since:tt)?] $header:literal
        $name:ident($($argument:ident: $type:ty),*) -> $result:ty, below $($count:ident)+
    ) => {
        $crate::declarations::declarations!(
            @declare [$($since)?] $header $name($($argument: $type),*) -> $result,
            "The index is below the count."
        );
        #[doc = concat!("`", stringify!($name), "` for indexes below the count.")]
        #[expect(non_camel_case_types, reason = "the name is the C API's")]
        #[derive(Debug)]
        pub enum $name {}
        impl $name {
            $crate::declarations::declarations!(
                @indexed [$($count)+] $name($($argument: $type),*) -> $result
            );
        }
    };
    (
        @declare [$($since:tt)?] $header:literal
        $name:ident($($argument:ident: $type:ty),*) -> $result:ty, slice $slice:tt
    ) => {
        $crate::declarations::declarations!(
            @declare [$($since)?] $header $name($($argument: $type),*) -> $result,
            "The array is as long as its length says."
        );
        #[doc = concat!("`", stringify!($name), "` for a slice.")]
        #[expect(non_camel_case_types, reason = "the name is the C API's")]
        #[derive(Debug)]
        pub enum $name {}
        impl $name {
            $crate::declarations::declarations!(
                @slice $slice $name($($argument: $type),*) -> $result
            );
        }
    };
    (
        @slice 1 $name:ident(
            $first:ident: $first_type:ty, $length:ident: $length_type:ty,
            $array:ident: $array_type:ty $(, $more:ident: $more_type:ty)*
        ) -> $result:ty
    ) => {
        $crate::declarations::declarations!(
            @of $name [$first: $first_type] $array: $array_type, [$($more: $more_type),*] -> $result
        );
    };
    (
        @slice 2 $name:ident(
            $first:ident: $first_type:ty, $second:ident: $second_type:ty,
            $length:ident: $length_type:ty, $array:ident: $array_type:ty
            $(, $more:ident: $more_type:ty)*
        ) -> $result:ty
    ) => {
        $crate::declarations::declarations!(
            @of $name [$first: $first_type, $second: $second_type] $array: $array_type,
            [$($more: $more_type),*] -> $result
        );
    };
    (
        @of $name:ident [$($before:ident: $before_type:ty),*] $array:ident: $array_type:ty,
        [$($more:ident: $more_type:ty),*] -> $result:ty
    ) => {
        /// The function for the elements of a slice.
        #[inline]
        pub fn of<'ctx>(
            $($before: $before_type,)*
            $array: &[<$array_type as $crate::declarations::Array>::Element],
            $($more: $more_type),*
        ) -> $result {
            // SAFETY: length and pointer are those of one slice, which MLIR only reads during the call.
            unsafe { $name($($before,)* $array.len() as isize, $array.as_ptr() $(, $more)*) }
        }
    };
    (
        @indexed [changing $count:ident]
        $name:ident($of:ident: $of_type:ty, $index:ident: $index_type:ty) -> $result:ty
    ) => {
        $crate::declarations::declarations!(
            @at $count $name($of: $of_type, $index: $index_type,) -> $result
        );

        /// All that exist now.
        pub fn now<'ctx>($of: $of_type) -> Vec<$result> {
            // SAFETY: each index is below the count, which stays as it is in this function.
            let get = |$index| unsafe { $name($of, $index) };
            (0..$count($of)).map(get).collect()
        }
    };
    (
        @indexed [$count:ident]
        $name:ident($of:ident: $of_type:ty, $index:ident: $index_type:ty) -> $result:ty
    ) => {
        $crate::declarations::declarations!(
            @at $count $name($of: $of_type, $index: $index_type,) -> $result
        );

        /// All of them. No safe call changes their number.
        #[inline]
        pub fn all<'ctx>(
            $of: $of_type
        ) -> impl DoubleEndedIterator<Item = $result> + ExactSizeIterator {
            // SAFETY: each index is below the count, which no safe call changes (the row would say
            // `changing`).
            (0..$count($of).unsigned_abs()).map(move |$index| unsafe { $name($of, $index as isize) })
        }
    };
    (
        @indexed [$($count:ident)+] $name:ident(
            $of:ident: $of_type:ty, $index:ident: $index_type:ty, $($more:ident: $more_type:ty),+
        ) -> $result:ty
    ) => {
        $crate::declarations::declarations!(
            @set [$($count)+] $name($of: $of_type, $index: $index_type, $($more: $more_type),+)
                -> $result
        );
    };
    (@set [changing $count:ident] $($row:tt)+) => {
        $crate::declarations::declarations!(@at $count $($row)+);
    };
    (@set [$count:ident] $($row:tt)+) => {
        $crate::declarations::declarations!(@at $count $($row)+);
    };
    (
        @at $count:ident $name:ident(
            $of:ident: $of_type:ty, $index:ident: $index_type:ty, $($more:ident: $more_type:ty),*
        ) -> $result:ty
    ) => {
        /// The one at that index, or `None` if the index is not below the count.
        #[inline]
        pub fn at<'ctx>($of: $of_type, $index: usize, $($more: $more_type),*) -> Option<$result> {
            ($index < $count($of).unsigned_abs()).then(|| {
                // SAFETY: the index is below the count, by the comparison in front of the closure.
                unsafe { $name($of, $index as isize, $($more),*) }
            })
        }
    };
    (@declare [] $header:literal $name:ident($($argument:ident: $type:ty),*) -> $result:ty) => {
        // SAFETY: the row says what the header says, and the types are all that the function asks for.
        unsafe extern "C" {
            #[doc = concat!("Of `", $header, "`.")]
            pub safe fn $name<'ctx>($($argument: $type),*) -> $result;
        }
    };
    (
        @declare [] $header:literal $name:ident($($argument:ident: $type:ty),*) -> $result:ty,
        $needs:literal
    ) => {
        // SAFETY: the row says what the header says.
        unsafe extern "C" {
            #[doc = concat!("Of `", $header, "`.\n\n# Safety\n\n", $needs)]
            pub unsafe fn $name<'ctx>($($argument: $type),*) -> $result;
        }
    };
    (@declare [$since:tt] $header:literal $($row:tt)+) => {
        #[cfg(not(llvm_before = $since))]
        $crate::declarations::declarations!(@declare [] $header $($row)+);
        #[cfg(llvm_before = $since)]
        $crate::declarations::declarations!(@replace $header $($row)+);
    };
    (@replace $header:literal $name:ident($($argument:ident: $type:ty),*) -> $result:ty) => {
        #[doc = concat!("Of a newer `", $header, "`.")]
        #[expect(non_snake_case, reason = "the name is the C API's")]
        #[inline]
        pub extern "C" fn $name<'ctx>($($argument: $type),*) -> $result {
            use $crate::c_type::CType;
            // SAFETY: the types are all that the function asks for, and say what it returns.
            unsafe { <$result as CType>::of_raw(mondo_sys::$name($(CType::to_raw($argument)),*)) }
        }
    };
    (
        @replace $header:literal $name:ident($($argument:ident: $type:ty),*) -> $result:ty,
        $needs:literal
    ) => {
        #[doc = concat!("Of a newer `", $header, "`.\n\n# Safety\n\n", $needs)]
        #[expect(non_snake_case, reason = "the name is the C API's")]
        #[inline]
        pub unsafe extern "C" fn $name<'ctx>($($argument: $type),*) -> $result {
            use $crate::c_type::CType;
            // SAFETY: the caller vouches for what the row needs, the types for the rest.
            unsafe { <$result as CType>::of_raw(mondo_sys::$name($(CType::to_raw($argument)),*)) }
        }
    };
    (@count) => { None };
    (@count changing $count:ident) => { Some(stringify!($count)) };
    (@count $count:ident) => { Some(stringify!($count)) };
    (@option) => { None };
    (@option $text:literal) => { Some($text) };
}
pub(crate) use declarations;

/// Every row, of all files.
#[cfg(test)]
fn table() -> Vec<Row> {
    [
        affine::table(),
        builtin_attributes::table(),
        builtin_types::table(),
        contexts::table(),
        floats::table(),
        ir::table(),
        locations::table(),
        nodes::table(),
        #[cfg(not(llvm_before = "22"))]
        small_floats::table(),
        crate::dialects::table(),
    ]
    .into_iter()
    .flatten()
    .collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The folders of headers: those that this was built with, and those of `MONDO_IR_OTHER_HEADERS`,
    /// which `cargo xtask test ir` sets to those of the catalogue's other LLVMs.
    fn folders() -> Vec<String> {
        let others = std::env::var("MONDO_IR_OTHER_HEADERS").unwrap_or_default();
        let others = others
            .split(':')
            .filter(|text| !text.is_empty())
            .map(str::to_owned);
        [env!("MONDO_IR_HEADERS").to_owned()]
            .into_iter()
            .chain(others)
            .collect()
    }

    /// Returns whether the folder has the headers of an LLVM that lacks what 22 has.
    fn is_before_22(folder: &str) -> bool {
        let path = format!("{folder}/llvm/Config/llvm-config.h");
        let text = std::fs::read_to_string(&path).expect(&path);
        let major = text
            .lines()
            .find_map(|line| line.strip_prefix("#define LLVM_VERSION_MAJOR "));
        major
            .and_then(|text| text.trim().parse::<u32>().ok())
            .is_some_and(|major| major < 22)
    }

    /// One name for types that are the same on all machines that mondo links for.
    fn same(name: &str) -> &str {
        match name {
            "int" => "int32_t",
            "uint32_t" => "unsigned",
            other => other,
        }
    }

    /// The result and the arguments of a function, as the header has them.
    fn declared(header: &str, function: &str) -> Option<(String, Vec<String>)> {
        let words = header.split_whitespace().collect::<Vec<_>>().join(" ");
        let dialect = function
            .strip_prefix("mlirGetDialectHandle__")
            .and_then(|name| name.strip_suffix("__"));
        if let Some(dialect) = dialect {
            // One macro declares it: of the dialect's class and its namespace.
            let (_, given) = words.split_once("MLIR_DECLARE_CAPI_DIALECT_REGISTRATION(")?;
            let (_, namespace) = given.split_once(')')?.0.split_once(", ")?;
            return (namespace == dialect).then(|| ("MlirDialectHandle".to_owned(), Vec::new()));
        }
        let at = words.find(&format!("{function}("))?;
        let result = same(words[..at].trim_end().rsplit(' ').next()?).to_owned();
        let arguments = &words[at + function.len() + 1..];
        let arguments = arguments[..arguments.find(')')?].split(',');
        // The type alone: the name of an argument is ours to choose.
        let type_of = |argument: &str| {
            let mut words = argument.split([' ', '*', '[']);
            let name = words.find(|word| !["", "const", "struct"].contains(word))?;
            let is_array = argument.contains(['*', '[']);
            let name = same(name);
            Some(format!("{name}{}", if is_array { "*" } else { "" }))
        };
        Some((
            result,
            arguments
                .filter_map(type_of)
                .filter(|argument| argument != "void")
                .collect(),
        ))
    }

    #[test]
    fn each_row_is_what_the_headers_say() {
        let mut wrong = Vec::new();
        for folder in folders() {
            for row in table() {
                if row.since == Some("22") && is_before_22(&folder) {
                    continue;
                }
                let path = format!("{folder}/mlir-c/{}", row.header);
                let header = std::fs::read_to_string(&path).expect(&path);
                let found = declared(&header, row.function);
                let expected = (row.result.clone(), row.arguments.clone());
                if found.as_ref() != Some(&expected) {
                    wrong.push(format!(
                        "{} in {path}: {found:?}, not {expected:?}",
                        row.function
                    ));
                }
            }
        }
        assert!(wrong.is_empty(), "{wrong:#?}");
    }

    #[test]
    fn a_function_with_an_index_says_its_bound() {
        for row in table() {
            let bounded = row.arguments.iter().any(|argument| argument == "intptr_t")
                && row.function.contains("Get");
            let says = row.needs.is_some() || row.below.is_some() || row.slice.is_some();
            assert!(!bounded || says, "{}", row.function);
        }
    }

    /// The functions of rows with `below` whose count has another noun than they have.
    const OF_OTHER_NOUNS: [(&str, &str); 4] = [
        // Both are of one constraint.
        (
            "mlirIntegerSetIsConstraintEq",
            "mlirIntegerSetGetNumConstraints",
        ),
        // Each slice of the axis has a scale and a zero point.
        (
            "mlirUniformQuantizedPerAxisTypeGetScale",
            "mlirUniformQuantizedPerAxisTypeGetNumDims",
        ),
        (
            "mlirUniformQuantizedPerAxisTypeGetZeroPoint",
            "mlirUniformQuantizedPerAxisTypeGetNumDims",
        ),
        // Each dimension that is cut into blocks has a block size.
        (
            "mlirUniformQuantizedSubChannelTypeGetQuantizedDimension",
            "mlirUniformQuantizedSubChannelTypeGetNumBlockSizes",
        ),
    ];

    /// The function that counts what a function has an index of, by MLIR's rule for their names.
    fn count_of(function: &str) -> String {
        let noun_at = |verb: &str| function.rfind(verb).map(|at| (at, at + verb.len()));
        let (start, noun) = noun_at("Get").or_else(|| noun_at("Set")).expect(function);
        format!("{}GetNum{}s", &function[..start], &function[noun..])
    }

    #[test]
    fn the_count_of_a_row_counts_what_the_row_has_an_index_of() {
        let rows = table();
        let of = |name: &str| rows.iter().find(|row| row.function == name);
        let mut indexed = 0;
        for row in &rows {
            let Some(below) = row.below else { continue };
            indexed += 1;
            let other = OF_OTHER_NOUNS
                .iter()
                .find(|(function, _)| *function == row.function);
            let expected =
                other.map_or_else(|| count_of(row.function), |(_, count)| (*count).to_owned());
            assert_eq!(below, expected, "{}", row.function);
            let count = of(below).expect(below);
            assert_eq!(count.arguments, row.arguments[..1], "{}", row.function);
            assert_eq!(
                (&*count.result, &*row.arguments[1]),
                ("intptr_t", "intptr_t"),
                "{}",
                row.function
            );
            assert_eq!(count.needs, None, "{below}");
        }
        assert!(indexed > 20, "{indexed}");
        assert_eq!(
            count_of("mlirOperationSetOperand"),
            "mlirOperationGetNumOperands"
        );
    }

    #[test]
    fn a_slice_is_a_length_and_an_array() {
        for row in table() {
            let Some(slice) = row.slice else { continue };
            assert_eq!(row.arguments[slice], "intptr_t", "{}", row.function);
            let arrays: Vec<usize> = (0..row.arguments.len())
                .filter(|at| row.arguments[*at].ends_with('*'))
                .collect();
            assert_eq!(arrays, [slice + 1], "{}", row.function);
            let numbers = row
                .arguments
                .iter()
                .filter(|argument| *argument == "intptr_t");
            assert_eq!(numbers.count(), 1, "{}", row.function);
        }
    }

    #[test]
    fn another_signature_is_noticed() {
        let header = "MLIR_CAPI_EXPORTED bool\nmlirTypeIsAInteger(MlirAttribute of);";
        let found = declared(header, "mlirTypeIsAInteger").expect("it is declared");
        assert_eq!(found, ("bool".to_owned(), vec!["MlirAttribute".to_owned()]));
        assert_eq!(declared(header, "mlirTypeIsAInt"), None);
        let header = "MlirType mlirT(intptr_t n, MlirType const *x, const int64_t *y);";
        let (_, arguments) = declared(header, "mlirT").expect("it is declared");
        assert_eq!(arguments, ["intptr_t", "MlirType*", "int64_t*"]);
        let header = "MLIR_DECLARE_CAPI_DIALECT_REGISTRATION(PDL, pdl);";
        assert!(declared(header, "mlirGetDialectHandle__pdl__").is_some());
        assert_eq!(declared(header, "mlirGetDialectHandle__pd__"), None);
    }
}
