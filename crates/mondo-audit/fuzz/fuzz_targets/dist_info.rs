//! The texts of a wheel: the input is METADATA, WHEEL, RECORD, an SBOM and the wheel's name, with a
//! byte between them that no text has.

#![no_main]

use libfuzzer_sys::fuzz_target;
use mondo_audit_fuzz::targets;

fuzz_target!(init: targets::alone(), |data: &[u8]| targets::dist_info(data));
