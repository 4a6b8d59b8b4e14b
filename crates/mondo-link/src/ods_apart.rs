//! ODS files of one dialect that cannot be read together: each defines a class or a record of the same name. Their own build
//! runs mlir-tblgen over each by itself.

use mondo_core::error::{Error, ErrorKind};

/// True for the error of mlir-tblgen over a file which includes two that define the same.
#[must_use]
pub fn is_needed(error: &Error) -> bool {
    error.kind() == ErrorKind::Compile && error.to_string().contains("already defined")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_second_definition_is_told_from_other_errors() {
        let error_of = |text: &str| Error::new(ErrorKind::Compile, "could not read").because(text);
        assert!(is_needed(&error_of(
            "a.td:4:7: error: Class 'TEST_Op' already defined"
        )));
        assert!(!is_needed(&error_of(
            "a.td:4:7: error: Couldn't find class 'TEST_Op'"
        )));
    }
}
