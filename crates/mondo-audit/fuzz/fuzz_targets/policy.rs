//! Policy files (TOML) and baselines (JSON).

#![no_main]

use libfuzzer_sys::fuzz_target;
use mondo_audit_fuzz::targets;

fuzz_target!(init: targets::alone(), |data: &[u8]| targets::policy(data));
