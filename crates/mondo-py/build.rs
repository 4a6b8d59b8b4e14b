//! Says which kind of Python this is built for, above all whether that has a global lock.

fn main() {
    pyo3_build_config::use_pyo3_cfgs();
}
