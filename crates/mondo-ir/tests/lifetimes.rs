//! The lifetime table: each getter of a handle with each call that may free what the handle is of.
//!
//! One program has a function for each pair. In the one half a handle is used after the call, which rustc has to
//! refuse in the line of the call; in the other half before it, which has to compile. What is uniqued may be
//! used after each call. The getters are compared with the sources, so that a new one is not forgotten.

use std::collections::{BTreeMap, BTreeSet};
use std::fmt::Write as _;
use std::path::{Path, PathBuf};

/// The getters, by file and name, with an expression for each.
const GETTERS: &[(&str, &str, &str)] = &[
    ("block.rs", "region", "block(ir).region()"),
    ("block.rs", "parent", "block(ir).parent()"),
    ("block.rs", "next", "block(ir).next()"),
    ("block.rs", "first", "block(ir).first()"),
    ("block.rs", "terminator", "block(ir).terminator()"),
    ("block.rs", "operations", "block(ir).operations()"),
    ("block.rs", "argument", "block(ir).argument(0)"),
    ("block.rs", "arguments", "block(ir).arguments()"),
    (
        "block.rs",
        "add_argument",
        "block(ir).add_argument(ctx.i32(), ctx.unknown())",
    ),
    ("block.rs", "append", "block(ir).append(owned)"),
    ("block.rs", "parent", "region(ir).parent()"),
    ("block.rs", "first", "region(ir).first()"),
    ("block.rs", "blocks", "region(ir).blocks()"),
    ("block.rs", "append_block", "region(ir).append_block(&[])"),
    (
        "block.rs",
        "insert_block_after",
        "region(ir).insert_block_after(block(ir), &[])",
    ),
    ("block.rs", "insert_before", "op(ir).insert_before(owned)"),
    ("block.rs", "insert_after", "op(ir).insert_after(owned)"),
    ("builder.rs", "build", "ir.build(\"a.b\", ctx.unknown())"),
    (
        "builder.rs",
        "at_end",
        "ir.build(\"a.b\", ctx.unknown()).at_end(block(ir))",
    ),
    (
        "builder.rs",
        "before",
        "ir.build(\"a.b\", ctx.unknown()).before(op(ir))",
    ),
    (
        "builder.rs",
        "after",
        "ir.build(\"a.b\", ctx.unknown()).after(op(ir))",
    ),
    ("editing.rs", "previous", "op(ir).previous()"),
    ("editing.rs", "insert_at", "block(ir).insert_at(0, owned)"),
    (
        "editing.rs",
        "insert_argument",
        "block(ir).insert_argument(0, ctx.i32(), ctx.unknown())",
    ),
    (
        "editing.rs",
        "erase_argument",
        "block(ir).erase_argument(0)",
    ),
    ("iteration.rs", "$many", "op(ir).iter_operands()"),
    ("iteration.rs", "$many", "op(ir).iter_results()"),
    ("iteration.rs", "$many", "op(ir).iter_regions()"),
    ("iteration.rs", "$many", "block(ir).iter_arguments()"),
    ("iteration.rs", "iter", "block(ir).iter()"),
    ("iteration.rs", "iter", "region(ir).iter()"),
    ("operation.rs", "block", "op(ir).block()"),
    ("operation.rs", "parent", "op(ir).parent()"),
    ("operation.rs", "root", "op(ir).root()"),
    ("operation.rs", "next", "op(ir).next()"),
    ("operation.rs", "operand", "op(ir).operand(0)"),
    ("operation.rs", "operands", "op(ir).operands()"),
    ("operation.rs", "result", "op(ir).result(0)"),
    ("operation.rs", "results", "op(ir).results()"),
    ("operation.rs", "region", "op(ir).region(0)"),
    ("operation.rs", "regions", "op(ir).regions()"),
    ("operation.rs", "successors", "op(ir).successors()"),
    ("owner.rs", "op", "module.owner().op(ir)"),
    ("owner.rs", "op", "module.op(ir)"),
    ("owner.rs", "body", "module.body(ir)"),
    ("retained_operation.rs", "get", "retained.get(ir)"),
    ("symbols.rs", "of", "mondo_ir::SymbolTable::of(op(ir))"),
    (
        "symbols.rs",
        "get",
        "mondo_ir::SymbolTable::of(op(ir)).unwrap().get(\"f\")",
    ),
    ("value.rs", "defining_op", "value(ir).defining_op()"),
    ("value.rs", "argument_of", "value(ir).argument_of()"),
    ("value.rs", "users", "value(ir).users()"),
];

/// Getters that are in a closure which MLIR calls: there is no token that it could give to a destroyer.
const IN_CLOSURES: &[(&str, &str)] = &[
    ("conversion_rewriter.rs", "all"),
    ("conversion_rewriter.rs", "insert"),
    ("conversion_rewriter.rs", "ir"),
    ("conversion_rewriter.rs", "operand"),
    ("conversion_rewriter.rs", "operands"),
    ("conversion_rewriter.rs", "values"),
    ("pattern.rs", "ir"),
    ("pattern.rs", "insert"),
];

/// Uniqued things live as long as the context.
const UNIQUED: &[&str] = &[
    "ctx.i32()",
    "value(ir).type_()",
    "op(ir).location()",
    "op(ir).attribute(\"a\")",
    "ctx.identifier(\"a\")",
    "ctx.dimension(0)",
];

/// The calls that free what is dead, by file and name.
const DESTROYERS: &[(&str, &str, &str)] = &[
    ("scope.rs", "collect", "ir.collect();"),
    ("pass.rs", "run", "drop(passes.run(ir, module.owner()));"),
    (
        "pattern.rs",
        "apply",
        "drop(patterns.apply(ir, module.owner()));",
    ),
    (
        "conversion_driver.rs",
        "apply_partial",
        "drop(conversion.apply_partial(ir, module.owner()));",
    ),
    (
        "conversion_driver.rs",
        "apply_full",
        "drop(conversion.apply_full(ir, module.owner()));",
    ),
    (
        "engine.rs",
        "new",
        "drop(unsafe { ExecutionEngine::new(ir, module, &EngineOptions::new()) });",
    ),
    ("engine.rs", "to_llvm_ir", "drop(module.to_llvm_ir(ir));"),
];

const HEAD: &str = "#![allow(dead_code, unused_variables)]
use mondo_ir::*;
fn module<'ctx>() -> Module<'ctx> { loop {} }
fn block<'c, 'ctx>(ir: &'c Ir<'ctx>) -> Block<'c, 'ctx> { loop {} }
fn region<'c, 'ctx>(ir: &'c Ir<'ctx>) -> Region<'c, 'ctx> { loop {} }
fn op<'c, 'ctx>(ir: &'c Ir<'ctx>) -> Op<'c, 'ctx> { loop {} }
fn value<'c, 'ctx>(ir: &'c Ir<'ctx>) -> Value<'c, 'ctx> { loop {} }
fn used<T>(thing: T) {}
";

fn function(text: &mut String, number: usize, getter: &str, body: &str) {
    writeln!(
        text,
        "fn f{number}<'ctx>(ctx: Ctx<'ctx>, ir: &mut Ir<'ctx>, module: &Module<'ctx>, owned: OwnedOp<'ctx>, \
         retained: &Retained<'ctx>, passes: &mut PassManager<'ctx>, patterns: &Patterns<'ctx>, \
         conversion: &Conversion<'ctx>) {{\n\
         let kept = {getter};\n{body}\n}}"
    )
    .expect("a string takes all");
}

/// The rlib of the library under test: the newest beside this program.
fn library(folder: &Path) -> PathBuf {
    let entries = std::fs::read_dir(folder).expect("cargo made the folder");
    let found = entries.flatten().map(|entry| entry.path()).filter(|path| {
        let name = path.file_name().unwrap_or_default().to_string_lossy();
        name.starts_with("libmondo_ir-") && name.ends_with(".rlib")
    });
    let newest = found.max_by_key(|path| {
        path.metadata()
            .and_then(|metadata| metadata.modified())
            .ok()
    });
    newest.expect("cargo built the library for this test")
}

/// Compiles a program, and returns the codes of its errors by line.
#[expect(
    clippy::disallowed_types,
    reason = "a test of this crate starts the compiler alone"
)]
fn errors(program: &str) -> BTreeMap<usize, String> {
    let test = std::env::current_exe().expect("it is running");
    let folder = test.parent().expect("it is in a folder");
    let scratch = Path::new(env!("CARGO_TARGET_TMPDIR"));
    let source = scratch.join("lifetimes.rs");
    std::fs::write(&source, program).expect("the scratch folder can be written");
    let compiler = std::env::var_os("RUSTC").unwrap_or_else(|| "rustc".into());
    let output = std::process::Command::new(compiler)
        .args(["--edition=2024", "--crate-type=lib", "--emit=metadata"])
        .args(["--error-format=short", "-o"])
        .arg(scratch.join("liblifetimes.rmeta"))
        .arg("-L")
        .arg(format!("dependency={}", folder.display()))
        .arg("--extern")
        .arg(format!("mondo_ir={}", library(folder).display()))
        .arg(&source)
        .output()
        .expect("rustc can be started");
    let said = String::from_utf8_lossy(&output.stderr);
    let mut errors = BTreeMap::new();
    for line in said.lines() {
        // …/lifetimes.rs:12:3: error[E0502]: …
        let Some((place, rest)) = line.split_once(": error") else {
            continue;
        };
        let code = rest
            .strip_prefix('[')
            .and_then(|rest| rest.split(']').next());
        let number = place
            .rsplit(':')
            .nth(1)
            .and_then(|number| number.parse().ok());
        errors.insert(
            number.unwrap_or(0),
            code.map_or_else(|| line.to_owned(), str::to_owned),
        );
    }
    assert!(
        output.status.success() || !errors.is_empty(),
        "rustc says of no line what is wrong:\n{said}"
    );
    errors
}

#[test]
fn no_handle_is_used_after_what_frees_it() {
    let (mut program, mut number, mut refused) = (HEAD.to_owned(), 0, BTreeSet::new());
    for (_, _, destroyer) in DESTROYERS {
        for (_, _, getter) in GETTERS {
            // The third line of the function has the call.
            refused.insert(program.lines().count() + 3);
            function(
                &mut program,
                number,
                getter,
                &format!("{destroyer}\nused(kept);"),
            );
            function(
                &mut program,
                number + 1,
                getter,
                &format!("used(kept);\n{destroyer}"),
            );
            number += 2;
        }
        for getter in UNIQUED {
            function(
                &mut program,
                number,
                getter,
                &format!("{destroyer}\nused(kept);"),
            );
            number += 1;
        }
    }
    let errors = errors(&program);
    let lines: Vec<_> = program.lines().collect();
    let wrong: Vec<_> = (1..=lines.len())
        .filter_map(|line| {
            let expected = refused.contains(&line).then_some("E0502");
            let found = errors.get(&line).map(String::as_str);
            (found != expected).then(|| {
                let getter = lines[line.saturating_sub(2)];
                format!("{getter} {}: {found:?}, not {expected:?}", lines[line - 1])
            })
        })
        .collect();
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
    assert_eq!(refused.len(), DESTROYERS.len() * GETTERS.len());
}

/// The public functions of a source: their names, their arguments, and their results.
fn functions(source: &str) -> Vec<(String, String, String)> {
    let mut found = Vec::new();
    let source = source.split("#[cfg(test)]").next().unwrap_or_default();
    let source = source.replace("pub unsafe fn ", "pub fn ");
    for declared in source.split("pub fn ").skip(1) {
        let signature = declared.split('{').next().unwrap_or_default();
        let name = signature.split(['(', '<']).next().unwrap_or_default();
        let (arguments, result) = signature.rsplit_once("->").unwrap_or((signature, ""));
        found.push((name.to_owned(), arguments.to_owned(), result.to_owned()));
    }
    found
}

#[test]
fn the_table_has_each_getter_and_each_destroyer() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("src");
    let (mut getters, mut destroyers) = (Vec::new(), Vec::new());
    for entry in std::fs::read_dir(folder)
        .expect("the sources are there")
        .flatten()
    {
        let path = entry.path();
        let Ok(source) = std::fs::read_to_string(&path) else {
            continue;
        };
        let file = entry.file_name().to_string_lossy().into_owned();
        for (name, arguments, result) in functions(&source) {
            let of_token = file == "scope.rs" && arguments.contains("&mut self");
            let in_closure = arguments.contains("FnOnce");
            if (arguments.contains("&mut Ir<") && !in_closure) || of_token {
                destroyers.push((file.clone(), name));
            } else if result.contains("'call")
                || (result.contains("Result<Self>") && arguments.contains("'call"))
            {
                getters.push((file.clone(), name));
            }
        }
    }
    let listed = GETTERS.iter().map(|(file, name, _)| (*file, *name));
    let listed: BTreeSet<_> = listed.chain(IN_CLOSURES.iter().copied()).collect();
    let expected = getters
        .iter()
        .map(|(file, name)| (file.as_str(), name.as_str()));
    assert_eq!(listed, expected.collect());
    let listed = DESTROYERS.iter().map(|(file, name, _)| (*file, *name));
    let expected = destroyers
        .iter()
        .map(|(file, name)| (file.as_str(), name.as_str()));
    assert_eq!(listed.collect::<BTreeSet<_>>(), expected.collect());
}
