//! Packages, libraries and programs that a project's `CMake` needs and does not find, from what `CMake` says.

/// A thing that was not found, and the next step.
#[derive(Debug, PartialEq, Eq)]
pub(crate) struct NotFound {
    /// The end of a sentence: ``the package `Foo` ``.
    pub(crate) what: String,
    /// Ways to have it found.
    pub(crate) help: String,
}

/// Reads from the first error of `CMake` the thing that was not found. `message` is that error with single spaces between its words.
pub(crate) fn not_found(message: &str) -> Option<NotFound> {
    of_configuration(message)
        .or_else(|| of_another_version(message))
        .or_else(|| of_module(message))
        .or_else(|| of_pkg_config(message))
        .or_else(|| of_variable(message))
}

/// A package without a module of `CMake`'s own, which brings its configuration file itself.
fn of_configuration(message: &str) -> Option<NotFound> {
    let (_, rest) =
        message.split_once("Could not find a package configuration file provided by ")?;
    let name = quoted(rest)?;
    let requested = rest.split_once("(requested version ");
    let version = requested.and_then(|(_, rest)| rest.split_once(')'));
    let version = version.map_or_else(String::new, |(version, _)| format!(" {version}"));
    Some(NotFound {
        what: format!("the package `{name}`{version}"),
        help: package(
            name,
            &format!("`{name}_DIR` (the folder of `{name}Config.cmake`) or `CMAKE_PREFIX_PATH`"),
        ),
    })
}

/// A package of which only other versions are there.
fn of_another_version(message: &str) -> Option<NotFound> {
    let (_, rest) = message.split_once("Could not find a configuration file for package ")?;
    let name = quoted(rest)?;
    let (_, rest) = rest.split_once("compatible with requested version ")?;
    let version = quoted(rest)?;
    Some(NotFound {
        what: format!("the package `{name}` in version {version}"),
        help: format!(
            "install this version of `{name}` and set `{name}_DIR` in `define` to the folder \
             of its `{name}Config.cmake`, or change the version in the project's `find_package`"
        ),
    })
}

/// A package that a `Find….cmake` looks for.
fn of_module(message: &str) -> Option<NotFound> {
    let (_, rest) = message.split_once("Could NOT find ")?;
    let end = rest.find([' ', ':'])?;
    let (name, rest) = rest.split_at(end);
    let missing = rest
        .strip_prefix(" (missing: ")
        .and_then(|rest| rest.split_once(')'));
    // A version range and components stand behind the variables, and are no variables.
    let variables = missing.map_or("", |(list, _)| list).split(' ');
    let variables: Vec<String> = variables
        .filter(|word| word.contains('_'))
        .map(|word| format!("`{word}`"))
        .collect();
    let keys = match variables.is_empty() {
        true => format!("`{name}_ROOT` (the prefix where it is installed)"),
        false => format!(
            "`{name}_ROOT` (the prefix where it is installed) or {}",
            variables.join(", ")
        ),
    };
    Some(NotFound {
        what: format!("the package `{name}`"),
        help: package(name, &keys),
    })
}

/// Packages of pkg-config.
fn of_pkg_config(message: &str) -> Option<NotFound> {
    let (_, rest) = message.split_once("The following required packages were not found: - ")?;
    let names: Vec<String> = rest
        .split(" - ")
        .map(|name| format!("`{}`", name.trim()))
        .collect();
    Some(NotFound {
        what: format!("the pkg-config package {}", names.join(", ")),
        help: "install its development package (on Debian, its name ends in `-dev`), or set \
             `PKG_CONFIG_PATH` in the environment to the folder of its `.pc` file"
            .to_owned(),
    })
}

/// A library, program, folder or file that `find_library` and its like look for.
fn of_variable(message: &str) -> Option<NotFound> {
    let (_, rest) = message.split_once("Could not find ")?;
    let (variable, rest) = rest.split_once(" using the following ")?;
    let (_, names) = rest.split_once(": ")?;
    if variable.contains(' ') {
        return None;
    }
    Some(NotFound {
        what: format!("`{variable}` ({names})"),
        help: format!(
            "install the package that contains it (on Debian, the name of a library's package \
             ends in `-dev`), or set `{variable}` in the project's `define`"
        ),
    })
}

fn package(name: &str, keys: &str) -> String {
    format!(
        "install the development package of `{name}` (on Debian, its name ends in `-dev`), or \
         set {keys} in the project's `define`"
    )
}

/// The text between the first two quotes.
fn quoted(text: &str) -> Option<&str> {
    text.split('"').nth(1)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[track_caller]
    fn check(message: &str, what: &str, words: &[&str]) {
        let found = not_found(message).unwrap();
        assert_eq!(found.what, what);
        for word in words {
            assert!(found.help.contains(word), "no {word} in {}", found.help);
        }
    }

    #[test]
    fn a_package_is_named_with_the_variables_that_find_it() {
        check(
            "By not providing \"FindFoo.cmake\" in CMAKE_MODULE_PATH this project has asked CMake to find a package \
             configuration file provided by \"Foo\", but CMake did not find one. Could not find a package \
             configuration file provided by \"Foo\" (requested version 3.1) with any of the following names: \
             FooConfig.cmake foo-config.cmake",
            "the package `Foo` 3.1",
            &["`Foo_DIR`", "`CMAKE_PREFIX_PATH`", "`define`", "-dev"],
        );
        check(
            "Could not find a configuration file for package \"Foo\" that is compatible with requested version \
             \"3.5\". The following configuration files were considered but not accepted:",
            "the package `Foo` in version 3.5",
            &["`Foo_DIR`"],
        );
        check(
            "Could NOT find Boost (missing: Boost_INCLUDE_DIR graph) (Required is at least version \"1.7\")",
            "the package `Boost`",
            &["`Boost_ROOT` (the prefix where it is installed) or `Boost_INCLUDE_DIR` in"],
        );
        check(
            "Could NOT find Foo: Found unsuitable version \"1.2\", but required is at least \"3\"",
            "the package `Foo`",
            &["`Foo_ROOT`"],
        );
    }

    #[test]
    fn what_is_no_package_of_cmake_is_named_too() {
        check(
            "The following required packages were not found: - foo>=2 - bar",
            "the pkg-config package `foo>=2`, `bar`",
            &["PKG_CONFIG_PATH"],
        );
        check(
            "Could not find FOO_EXE using the following names: foo, foox",
            "`FOO_EXE` (foo, foox)",
            &["set `FOO_EXE` in the project's `define`"],
        );
        assert_eq!(not_found("Unknown CMake command \"add_toy\"."), None);
    }
}
