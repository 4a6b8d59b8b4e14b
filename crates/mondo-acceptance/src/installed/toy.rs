//! The first hour of a user: `mondo new`, `pip install`, and the project's own tests, in an environment with
//! mondo's two wheels and nothing else.

use mondo::console;
use mondo_build::Result;
use mondo_testbed::Context;
use mondo_testbed::verdict::expect;

use super::environment::Environment;
use super::index::Index;

/// The project's name.
pub(super) const NAME: &str = "toy";

/// Begins a project with a dialect in C++, has pip build and install it from the wheels of `index`, and
/// runs its tests and its tool.
pub(super) fn check(environment: &Environment, index: &Index, context: &Context<'_>) -> Result<()> {
    environment.mondo(&["new", NAME, "--cpp"]).output()?;
    let start = std::time::Instant::now();
    let python = environment.interpreter();
    index
        .tool(environment, python.as_str(), "install the project")
        .args(["-m", "pip", "install", "./toy"])
        .output()?;
    console::err(format!(
        "{NAME}: pip installed it in {:.1} s",
        start.elapsed().as_secs_f64()
    ));
    environment.lend_test_packages(context)?;
    tests(environment)?;
    let input = environment.write(
        "box.mlir",
        "func.func @f(%a: i32) -> i32 {\n\
         %0 = toy.wrap %a : !toy.box<i32>\n\
         %1 = toy.unwrap %0 : !toy.box<i32>\n\
         func.return %1 : i32\n}\n",
    )?;
    let said = environment
        .command("toy-opt", "run the project's own `opt`")
        .args(["--canonicalize", input.as_str()])
        .output()?;
    let is_folded = !said.stdout.contains("toy.wrap") && said.stdout.contains("func.func @f");
    let what = "toy-opt does not canonicalize the dialect";
    expect(is_folded, what, said.stdout)?;
    environment.no_rust.was_not_started()
}

/// Runs the project's tests.
pub(super) fn tests(environment: &Environment) -> Result<()> {
    let said = environment
        .python("pass the project's tests")
        .args(["-m", "pytest", "-q", "-p", "no:cacheprovider", NAME])
        .output()?
        .stdout;
    // The output has to say that tests passed: a test that is not collected has not passed.
    let all = said.contains(" passed") && !said.contains("failed");
    expect(all, "the new project's tests do not pass", said)
}
