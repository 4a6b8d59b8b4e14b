//! `mondo completions` and `mondo man`: what clap knows of the command line, for shells and for man.

use clap::CommandFactory;
use mondo_build::{Error, ErrorKind, Result};

use crate::args::{Args, CompletionsArgs, ManArgs};
use crate::console;

/// Prints the completions for a shell.
pub(super) fn completions(args: &CompletionsArgs) -> Result<()> {
    let mut text = Vec::new();
    clap_complete::generate(args.shell, &mut Args::command(), "mondo", &mut text);
    print(text)
}

/// Prints the first manual page, or writes all of them into a folder.
pub(super) fn manual(args: &ManArgs) -> Result<()> {
    let Some(folder) = &args.out_dir else {
        let mut text = Vec::new();
        clap_mangen::Man::new(Args::command()).render(&mut text)?;
        return print(text);
    };
    fs_err::create_dir_all(folder)?;
    clap_mangen::generate_to(Args::command(), folder)?;
    console::out(folder);
    Ok(())
}

fn print(text: Vec<u8>) -> Result<()> {
    let text = String::from_utf8(text)
        .map_err(|error| Error::new(ErrorKind::Io, "the text is not UTF-8").caused_by(error))?;
    console::out(text.trim_end());
    Ok(())
}
