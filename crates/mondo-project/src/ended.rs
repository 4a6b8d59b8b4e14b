//! Steps of a build that a signal ended: mostly a compiler, which the system kills once memory runs out.

use std::fmt;

/// The texts of `strsignal(3)`, with which compilers and shells name a signal, and its number and name.
const SIGNALS: &[(&str, i32, &str)] = &[
    ("Illegal instruction", 4, "SIGILL"),
    ("Aborted", 6, "SIGABRT"),
    ("Bus error", 7, "SIGBUS"),
    ("Floating point exception", 8, "SIGFPE"),
    ("Killed", 9, "SIGKILL"),
    ("Segmentation fault", 11, "SIGSEGV"),
    ("Terminated", 15, "SIGTERM"),
    ("CPU time limit exceeded", 24, "SIGXCPU"),
    ("File size limit exceeded", 25, "SIGXFSZ"),
];

/// The number that a shell adds to a signal's for the exit code of a program that the signal ended.
const OF_SHELL: i32 = 128;

/// The exit code of a Ninja that got a signal itself, or one of whose steps was asked to end.
const INTERRUPTED: i32 = 130;

/// A program that ended otherwise than by itself.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Ended {
    /// The program, where the output names it.
    program: Option<String>,
    by: By,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum By {
    Signal(&'static str),
    /// The program itself reported that no memory was left.
    NoMemory,
    /// SIGINT, SIGTERM or SIGHUP, which Ninja does not tell apart.
    Interruption,
}

impl Ended {
    /// The end of a step that printed `said` and whose exit code, where Ninja knows it, is `code`.
    pub(crate) fn of_step(code: Option<i32>, said: &str) -> Option<Self> {
        said.lines().find_map(named).or_else(|| {
            let number = code?.checked_sub(OF_SHELL)?;
            let (_, _, name) = SIGNALS.iter().find(|(_, own, _)| *own == number)?;
            Some(Self::signal(None, name))
        })
    }

    /// The end of Ninja itself by the exit code or the signal's number.
    pub(crate) fn of_ninja(code: Option<i32>, signal: Option<i32>) -> Option<Self> {
        if let Some(number) = signal {
            let known = SIGNALS.iter().find(|(_, own, _)| *own == number);
            let name = known.map_or("a signal", |(_, _, name)| *name);
            return Some(Self::signal(Some("ninja"), name));
        }
        (code? == INTERRUPTED).then_some(Self {
            program: None,
            by: By::Interruption,
        })
    }

    fn signal(program: Option<&str>, name: &'static str) -> Self {
        Self {
            program: program.map(str::to_owned),
            by: By::Signal(name),
        }
    }

    /// The reason that such an end mostly has.
    pub(crate) fn reason(&self) -> &'static str {
        match self.by {
            By::Signal("SIGKILL") => {
                "the system ends a program with SIGKILL when memory runs out, and Ninja runs \
                 several steps at once"
            }
            By::Signal("SIGTERM") | By::Interruption => {
                "a person or a program stopped it; services that keep memory free \
                 (systemd-oomd, earlyoom) do this"
            }
            By::Signal("SIGXCPU" | "SIGXFSZ") => {
                "it reached a limit of the shell (`ulimit`) or of the service that runs the \
                 build"
            }
            By::Signal("SIGBUS") => "a file could not be read or written; the disk may be full",
            By::Signal(_) => "the program crashed because of its own bug",
            By::NoMemory => "memory ran out, and Ninja runs several steps at once",
        }
    }

    /// The next step.
    pub(crate) fn help(&self) -> &'static str {
        match self.by {
            By::Signal("SIGKILL" | "SIGTERM") | By::Interruption | By::NoMemory => {
                "build with fewer jobs (`CMAKE_BUILD_PARALLEL_LEVEL=1` in the environment) or \
                 more memory; finished steps are not repeated"
            }
            By::Signal("SIGXCPU" | "SIGXFSZ") => "raise the limit, and build again",
            By::Signal("SIGBUS") => "check the free space on the disk, and build again",
            By::Signal(_) => {
                "run only the step's command, which is in the log; if the compiler crashes, \
                 use another one"
            }
        }
    }
}

impl fmt::Display for Ended {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let program = self.program.as_deref().unwrap_or("a program of this step");
        match self.by {
            By::Signal(name) => write!(f, "{name} ended {program}"),
            By::NoMemory => write!(f, "{program} ran out of memory"),
            By::Interruption => write!(f, "it was interrupted"),
        }
    }
}

/// The end that a line of a compiler's driver, of a linker's or of a program that has no memory left tells of.
fn named(line: &str) -> Option<Ended> {
    let out_of_memory = [
        "out of memory allocating ",
        "virtual memory exhausted",
        "LLVM ERROR: out of memory",
        "std::bad_alloc",
    ];
    if out_of_memory.iter().any(|sign| line.contains(sign)) {
        let program = line.split_once(": out of memory");
        let program = program.map(|(name, _)| name.to_owned());
        return Some(Ended {
            program: program.filter(|name| !name.contains(' ')),
            by: By::NoMemory,
        });
    }
    SIGNALS.iter().find_map(|(text, number, name)| {
        let program = after(line, &format!("{text} signal terminated program "))
            .or_else(|| after(line, &format!("{text} (program ")));
        if let Some(program) = program {
            return Some(Ended::signal(Some(program), name));
        }
        let by_number = format!(" terminated with signal {number} [");
        if let Some((before, _)) = line.split_once(&by_number) {
            return Some(Ended::signal(before.rsplit(' ').next(), name));
        }
        let (_, rest) = line.split_once("unable to execute command: ")?;
        rest.starts_with(text).then(|| Ended::signal(None, name))
    })
}

/// The word behind `text` in the line.
fn after<'a>(line: &'a str, text: &str) -> Option<&'a str> {
    let (_, rest) = line.split_once(text)?;
    rest.split([' ', ')'])
        .next()
        .filter(|word| !word.is_empty())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[track_caller]
    fn step(code: Option<i32>, said: &str) -> String {
        Ended::of_step(code, said).unwrap().to_string()
    }

    #[test]
    fn a_killed_compiler_is_named_with_its_signal() {
        let said = "x.cpp:1: warning: error prone\ng++: fatal error: Killed signal terminated program cc1plus\n\
                    compilation terminated.";
        assert_eq!(step(Some(1), said), "SIGKILL ended cc1plus");
        let said = "g++: internal compiler error: Killed (program cc1plus)";
        assert_eq!(step(Some(4), said), "SIGKILL ended cc1plus");
        let said = "clang++: error: unable to execute command: Segmentation fault (core dumped)";
        assert_eq!(
            step(Some(254), said),
            "SIGSEGV ended a program of this step"
        );
        let said = "collect2: fatal error: ld terminated with signal 9 [Killed]";
        assert_eq!(step(None, said), "SIGKILL ended ld");
        assert_eq!(
            step(Some(137), "Killed"),
            "SIGKILL ended a program of this step"
        );
        let said = "cc1plus: out of memory allocating 65536 bytes after a total of 9 bytes";
        assert_eq!(step(Some(1), said), "cc1plus ran out of memory");
    }

    #[test]
    fn an_error_of_the_code_is_no_signal() {
        let said = "x.cpp:3:1: error: no type named 'Killed' in namespace";
        assert_eq!(Ended::of_step(Some(1), said), None);
        assert_eq!(
            Ended::of_step(Some(128), "no signal has the number 0"),
            None
        );
        assert_eq!(Ended::of_step(Some(9), ""), None);
    }

    #[test]
    fn ninja_itself_may_be_ended() {
        let killed = Ended::of_ninja(None, Some(9)).unwrap();
        assert_eq!(killed.to_string(), "SIGKILL ended ninja");
        let asked = Ended::of_ninja(Some(130), None).unwrap();
        assert_eq!(asked.to_string(), "it was interrupted");
        assert!(asked.help().contains("CMAKE_BUILD_PARALLEL_LEVEL=1"));
        assert_eq!(Ended::of_ninja(Some(1), None), None);
    }
}
