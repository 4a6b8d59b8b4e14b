//! The arguments of `audit`.

use camino::Utf8PathBuf;
use clap::Args;
use mondo_audit::Severity;

#[derive(Debug, Args)]
pub struct AuditArgs {
    /// Wheels, shared libraries, or folders of them, audited together as if one process loaded all of them.
    #[arg(required_unless_present = "explain")]
    pub paths: Vec<Utf8PathBuf>,
    /// Print the documentation of this rule, or of `all` rules.
    #[arg(long, value_name = "RULE", conflicts_with = "paths")]
    pub explain: Option<String>,
    /// A TOML file that sets the severity of rules and lists allowed findings with reasons.
    #[arg(long, value_name = "FILE")]
    pub policy: Option<Utf8PathBuf>,
    /// Fail only on findings that are not in this file.
    #[arg(long, value_name = "FILE")]
    pub baseline: Option<Utf8PathBuf>,
    /// Write all findings to a file for --baseline.
    #[arg(long, value_name = "FILE", conflicts_with = "baseline")]
    pub write_baseline: Option<Utf8PathBuf>,
    /// Also write a SARIF 2.1.0 log to this file.
    #[arg(long, value_name = "FILE")]
    pub sarif: Option<Utf8PathBuf>,
    /// Assume that images are loaded in the order given, as `RTLD_LOCAL`, or as `RTLD_GLOBAL` with `:global`. May be
    /// repeated. Default: consider every order, local and global.
    #[arg(long, value_name = "IMAGE[:global]")]
    pub load: Vec<String>,
    /// Fail on findings of this severity or higher. The exit code is 24 for errors, 26 for warnings only.
    #[arg(long, value_name = "SEVERITY", default_value = "warning", value_parser = failing)]
    pub fail_on: Severity,
}

/// A severity that can make the audit fail.
fn failing(name: &str) -> Result<Severity, &'static str> {
    Severity::by_name(name)
        .filter(|&severity| severity != Severity::Info)
        .ok_or("expected `error` or `warning`")
}
