//! The arguments of `audit`.

use camino::Utf8PathBuf;
use clap::Args;
use mondo_audit::Severity;

#[derive(Debug, Args)]
pub struct AuditArgs {
    /// Wheels, shared libraries, and folders of them; all of them together are what one process
    /// would load.
    #[arg(required_unless_present = "explain")]
    pub paths: Vec<Utf8PathBuf>,
    /// Print the page of this rule, or of `all`.
    #[arg(long, value_name = "RULE", conflicts_with = "paths")]
    pub explain: Option<String>,
    /// A TOML file that says how much rules count and what is allowed, with reasons.
    #[arg(long, value_name = "FILE")]
    pub policy: Option<Utf8PathBuf>,
    /// Only what is not in this file fails.
    #[arg(long, value_name = "FILE")]
    pub baseline: Option<Utf8PathBuf>,
    /// Write all that is found into a file for --baseline.
    #[arg(long, value_name = "FILE", conflicts_with = "baseline")]
    pub write_baseline: Option<Utf8PathBuf>,
    /// Also write a SARIF 2.1.0 log.
    #[arg(long, value_name = "FILE")]
    pub sarif: Option<Utf8PathBuf>,
    /// Load this image next, `RTLD_LOCAL`, or `RTLD_GLOBAL` if `:global` follows; once for each image.
    /// Without: any order is looked at, local and global.
    #[arg(long, value_name = "IMAGE[:global]")]
    pub load: Vec<String>,
    /// The least that makes the command fail: 24 on errors, 26 where warnings are the worst.
    #[arg(long, value_name = "SEVERITY", default_value = "warning", value_parser = failing)]
    pub fail_on: Severity,
}

/// A severity that can make the audit fail.
fn failing(name: &str) -> Result<Severity, &'static str> {
    Severity::by_name(name)
        .filter(|&severity| severity != Severity::Info)
        .ok_or("`error` or `warning`")
}
