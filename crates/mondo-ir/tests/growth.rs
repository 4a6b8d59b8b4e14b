//! No call takes time out of proportion: callgrind counts the instructions of each at a size and at four times that.
//!
//! The requests to valgrind are those of x86-64. `MONDO_VALGRIND` is the command of valgrind; without it, the one on the path is used.

#![cfg(target_arch = "x86_64")]
#![expect(
    clippy::disallowed_types,
    reason = "a test runs itself, and builds nothing"
)]

use std::fs;
use std::path::Path;
use std::process::Command;

use mondo_ir::{
    Block, Context, Ctx, Ir, Module, Op, OwnPass, OwnedOp, PassManager, Patterns, Region,
    SymbolTable, Value, Walk, WalkOrder,
};

/// The variable by which this program knows that it is counted.
const COUNTED: &str = "MONDO_IR_COUNTED";
/// Four times the size may take so many times the instructions. A square would be 16 times; text of nested
/// operations has more spaces the deeper they are.
const MOST: f64 = 6.0;

/// Requests to callgrind: to write what was counted, and to begin or end counting.
const DUMP: usize = ((b'C' as usize) << 24) + ((b'T' as usize) << 16);
const TOGGLE: usize = DUMP + 2;

/// Tells callgrind something, as `valgrind.h` does. Outside of valgrind it does nothing.
fn request(code: usize) {
    let arguments = [code, 0, 0, 0, 0, 0];
    // SAFETY: the rotations add up to two turns, and the exchange is of a register with itself. Valgrind takes these
    // instructions for a call that reads the array and returns a number.
    unsafe {
        std::arch::asm!(
            "rol rdi, 3",
            "rol rdi, 13",
            "rol rdi, 61",
            "rol rdi, 51",
            "xchg rbx, rbx",
            in("rax") arguments.as_ptr(),
            inout("rdx") 0_usize => _,
            inout("rdi") 0_usize => _,
        );
    }
}

/// Callgrind counts what happens in here, and writes the count to a file of its own.
fn counted(work: &mut dyn FnMut()) {
    request(TOGGLE);
    work();
    request(TOGGLE);
    request(DUMP);
}

/// Something of a size, which is made before the count begins.
type Case = for<'ctx> fn(Ctx<'ctx>, &mut Ir<'ctx>, usize);

/// The shapes: operations beside each other, and in each other.
const WIDE: usize = 60;
const DEEP: usize = 40;

const CASES: &[(&str, usize, Case)] = &[
    ("append", WIDE, |ctx, ir, size| {
        let module = Module::new(ctx, ctx.unknown());
        count(|| wide(ctx, ir, &module, size));
    }),
    ("nest from the outside in", DEEP, |ctx, ir, size| {
        count(|| drop(nested(ctx, ir, size)));
    }),
    ("nest from the inside out", DEEP, |ctx, ir, size| {
        count(|| {
            let mut inner = Module::new(ctx, ctx.unknown());
            for _ in 1..size {
                let outer = Module::new(ctx, ctx.unknown());
                outer.body(ir).append(inner.into_op()).unwrap();
                inner = outer;
            }
        });
    }),
    ("use outer values", DEEP, |ctx, ir, size| {
        let (module, blocks) = nested(ctx, ir, size);
        count(|| {
            let mut value = None;
            for block in &blocks {
                let operands: Vec<Value<'_, '_>> = value.into_iter().collect();
                let op = put_first(leaf(ctx, ir, &operands), *block);
                value = op.result(0);
            }
            drop(module.op(ir).verify());
        });
    }),
    ("insert before", WIDE, |ctx, ir, size| {
        let module = Module::new(ctx, ctx.unknown());
        wide(ctx, ir, &module, 1);
        count(|| {
            for _ in 0..size {
                let first = module.body(ir).first().unwrap();
                first.insert_before(leaf(ctx, ir, &[])).unwrap();
            }
        });
    }),
    ("move beside each other", WIDE, |ctx, ir, size| {
        let module = Module::new(ctx, ctx.unknown());
        wide(ctx, ir, &module, size);
        let operations = module.body(ir).operations();
        count(|| {
            for op in &operations {
                op.move_before(module.body(ir).first().unwrap()).unwrap();
            }
        });
    }),
    ("move into the depth and back", DEEP, |ctx, ir, size| {
        let (module, blocks) = nested(ctx, ir, size);
        let op = module.body(ir).append(leaf(ctx, ir, &[])).unwrap();
        for block in &blocks {
            block.append(leaf(ctx, ir, &[])).unwrap();
        }
        let places: Vec<Op<'_, '_>> = blocks.iter().filter_map(|block| last(*block)).collect();
        count(|| {
            places
                .iter()
                .for_each(|place| op.move_before(*place).unwrap());
        });
    }),
    ("detach and append", DEEP, |ctx, ir, size| {
        let (_module, blocks) = nested(ctx, ir, size);
        let mut op = blocks[0].append(leaf(ctx, ir, &[])).unwrap();
        count(|| {
            for block in &blocks {
                op = block.append(op.detach().unwrap()).unwrap();
            }
        });
    }),
    ("move what has much in it", WIDE, |ctx, ir, size| {
        let module = Module::new(ctx, ctx.unknown());
        let (one, other) = (Module::new(ctx, ctx.unknown()), leaf(ctx, ir, &[]));
        wide(ctx, ir, &one, size);
        let one = module.body(ir).append(one.into_op()).unwrap();
        let other = module.body(ir).append(other).unwrap();
        count(|| {
            for _ in 0..size {
                one.move_after(other).unwrap();
                one.move_before(other).unwrap();
                module.body(ir).append(one.detach().unwrap()).unwrap();
            }
        });
    }),
    ("erase beside each other", WIDE, |ctx, ir, size| {
        let module = Module::new(ctx, ctx.unknown());
        wide(ctx, ir, &module, size);
        count(|| {
            for op in module.body(ir).operations().into_iter().rev() {
                op.erase().unwrap();
            }
        });
        count_last(|| assert_eq!(ir.collect(), 0));
    }),
    ("erase from the inside out", DEEP, |ctx, ir, size| {
        let (_module, blocks) = nested(ctx, ir, size);
        count(|| {
            for block in blocks.iter().skip(1).rev() {
                block.parent().unwrap().erase().unwrap();
            }
        });
        count_last(|| assert_eq!(ir.collect(), 0));
    }),
    ("drop what is wide", WIDE, |ctx, ir, size| {
        let module = Module::new(ctx, ctx.unknown());
        wide(ctx, ir, &module, size);
        let mut module = Some(module);
        count(|| drop(module.take()));
        count_last(|| assert_eq!(ir.collect(), 0));
    }),
    ("drop what is deep", DEEP, |ctx, ir, size| {
        let (module, _) = nested(ctx, ir, size);
        let mut module = Some(module);
        count(|| drop(module.take()));
        count_last(|| assert_eq!(ir.collect(), 0));
    }),
    ("drop what is used", WIDE, |ctx, ir, size| {
        let (one, other) = (
            Module::new(ctx, ctx.unknown()),
            Module::new(ctx, ctx.unknown()),
        );
        wide(ctx, ir, &one, size);
        for op in one.body(ir).operations() {
            other.body(ir).append(leaf(ctx, ir, &op.results())).unwrap();
        }
        drop(one);
        assert_eq!(ir.collect(), 1);
        let mut other = Some(other);
        count(|| drop(other.take()));
        count_last(|| assert_eq!(ir.collect(), 0));
    }),
    ("branches to one block", WIDE, |ctx, ir, size| {
        let (_module, region, end) = branches(ctx, ir, size);
        let blocks = region.blocks();
        count(|| {
            for block in blocks.iter().filter(|block| **block != end) {
                assert!(block.erase().is_ok());
            }
            end.erase().unwrap();
        });
        count_last(|| assert_eq!(ir.collect(), 0));
    }),
    ("replace uses", WIDE, |ctx, ir, size| {
        let module = Module::new(ctx, ctx.unknown());
        let (one, other) = (leaf(ctx, ir, &[]), leaf(ctx, ir, &[]));
        let one = module.body(ir).append(one).unwrap().result(0).unwrap();
        let other = module.body(ir).append(other).unwrap().result(0).unwrap();
        for _ in 0..size {
            module.body(ir).append(leaf(ctx, ir, &[one])).unwrap();
        }
        count(|| one.replace_all_uses(other).unwrap());
    }),
    ("set operands and successors", WIDE, |ctx, ir, size| {
        let (_module, _, end) = branches(ctx, ir, 1);
        let value = end.add_argument(ctx.i8(), ctx.unknown()).unwrap();
        let op = ir
            .build("test.op", ctx.unknown())
            .operands(&vec![value; size]);
        let op = (0..size)
            .fold(op, |op, _| op.successor(end))
            .finish()
            .unwrap();
        count(|| {
            for index in 0..size {
                op.op(ir).set_operand(index, value).unwrap();
                op.op(ir).set_successor(index, end).unwrap();
            }
        });
    }),
    (
        "verify, print and write what is wide",
        WIDE,
        |ctx, ir, size| {
            let module = Module::parse(ctx, &functions(size)).unwrap();
            count(|| {
                module.op(ir).verify().unwrap();
                assert!(module.op(ir).to_string().len() > size);
                assert!(module.op(ir).to_bytecode(None).unwrap().len() > size);
            });
        },
    ),
    ("verify each function", WIDE, |ctx, ir, size| {
        let module = Module::parse(ctx, &functions(size)).unwrap();
        let functions = module.body(ir).operations();
        count(|| {
            functions
                .iter()
                .for_each(|function| function.verify().unwrap());
        });
    }),
    ("verify and write what is deep", DEEP, |ctx, ir, size| {
        let (module, _) = nested(ctx, ir, size);
        count(|| {
            module.op(ir).verify().unwrap();
            assert!(module.op(ir).to_bytecode(None).unwrap().len() > size);
        });
    }),
    ("print what is deep", DEEP, |ctx, ir, size| {
        let (module, _) = nested(ctx, ir, size);
        count(|| assert!(module.op(ir).to_string().len() > size));
    }),
    ("parse what is wide", WIDE, |ctx, _, size| {
        let text = functions(size);
        count(|| drop(Module::parse(ctx, &text).unwrap()));
    }),
    ("parse what is deep", DEEP, |ctx, _, size| {
        let text = format!("{}{}", "module {".repeat(size), "}".repeat(size));
        count(|| drop(Module::parse(ctx, &text).unwrap()));
    }),
    ("read bytecode", WIDE, |ctx, ir, size| {
        let module = Module::parse(ctx, &functions(size)).unwrap();
        let bytes = module.op(ir).to_bytecode(None).unwrap();
        count(|| drop(Module::from_bytecode(ctx, &bytes).unwrap()));
    }),
    ("copy and walk what is wide", WIDE, |ctx, ir, size| {
        let module = Module::parse(ctx, &functions(size)).unwrap();
        count(|| {
            let copy = module.op(ir).duplicate().unwrap();
            copy.op(ir).walk(WalkOrder::Post, |_| Walk::Advance);
        });
    }),
    ("copy and walk what is deep", DEEP, |ctx, ir, size| {
        let (module, _) = nested(ctx, ir, size);
        count(|| {
            let copy = module.op(ir).duplicate().unwrap();
            copy.op(ir).walk(WalkOrder::Post, |_| Walk::Advance);
        });
    }),
    ("passes of closures", WIDE, |ctx, ir, size| {
        let module = Module::parse(ctx, &functions(size)).unwrap();
        let mut passes = PassManager::new(ctx);
        passes.add_own(OwnPass::on("adds", "func.func", |ir, op| {
            let end = op.region(0).unwrap().first().unwrap().terminator().unwrap();
            let one = ir.build("arith.constant", end.location());
            let one = one.attribute("value", end.ctx().bool_attr(true)).infer();
            let one = one.before(end)?.result(0).unwrap();
            ir.build("test.use", end.location())
                .operand(one)
                .before(end)?;
            Ok(())
        }));
        count_last(|| drop(passes.run(ir, module.owner()).unwrap()));
    }),
    ("patterns", WIDE, |ctx, ir, size| {
        let module = Module::parse(ctx, &functions(size)).unwrap();
        let mut patterns = Patterns::new();
        patterns.add("test.use", 1, |rewriter, op| {
            let other = rewriter.ir().build("test.other", op.location());
            rewriter.insert(other.operands(&op.operands()).finish()?);
            rewriter.erase();
            Ok(true)
        });
        count_last(|| drop(patterns.apply(ir, module.owner()).unwrap()));
    }),
    ("symbols", WIDE, |ctx, ir, size| {
        let module = Module::parse(ctx, &functions(size)).unwrap();
        let other = Module::new(ctx, ctx.unknown());
        let mut table = SymbolTable::of(other.op(ir)).unwrap();
        count(|| {
            for function in module.body(ir).operations() {
                let copy = function.duplicate().unwrap();
                let copy = other.body(ir).append(copy).unwrap();
                table.insert(copy).unwrap();
            }
        });
    }),
];

/// Counts the work. Of several calls in a case, the instructions are added up.
fn count(mut work: impl FnMut()) {
    counted(&mut work);
}

/// Counts what needs the token exclusively.
fn count_last(work: impl FnOnce()) {
    let mut work = Some(work);
    counted(&mut || work.take().expect("one call")());
}

fn leaf<'ctx>(ctx: Ctx<'ctx>, ir: &Ir<'ctx>, operands: &[Value<'_, 'ctx>]) -> OwnedOp<'ctx> {
    let op = ir.build("test.op", ctx.unknown()).operands(operands);
    op.result(ctx.i8()).finish().unwrap()
}

fn put_first<'call, 'ctx>(op: OwnedOp<'ctx>, block: Block<'call, 'ctx>) -> Op<'call, 'ctx> {
    match block.first() {
        Some(first) => first.insert_before(op).unwrap(),
        None => block.append(op).unwrap(),
    }
}

fn last<'call, 'ctx>(block: Block<'call, 'ctx>) -> Option<Op<'call, 'ctx>> {
    block.operations().last().copied()
}

/// Puts operations into a module.
fn wide<'ctx>(ctx: Ctx<'ctx>, ir: &Ir<'ctx>, module: &Module<'ctx>, size: usize) {
    for _ in 0..size {
        module.body(ir).append(leaf(ctx, ir, &[])).unwrap();
    }
}

/// Modules in each other, and their blocks from the outside in.
fn nested<'call, 'ctx>(
    ctx: Ctx<'ctx>,
    ir: &'call Ir<'ctx>,
    size: usize,
) -> (Module<'ctx>, Vec<Block<'call, 'ctx>>) {
    let module = Module::new(ctx, ctx.unknown());
    let mut blocks = vec![module.body(ir)];
    for _ in 1..size {
        let inner = Module::new(ctx, ctx.unknown()).into_op();
        let inner = blocks[blocks.len() - 1].append(inner).unwrap();
        blocks.extend(inner.region(0).and_then(Region::first));
    }
    (module, blocks)
}

/// Blocks that branch to the last one of their region.
fn branches<'call, 'ctx>(
    ctx: Ctx<'ctx>,
    ir: &'call Ir<'ctx>,
    size: usize,
) -> (OwnedOp<'ctx>, Region<'call, 'ctx>, Block<'call, 'ctx>) {
    let owner = ir.build("test.region", ctx.unknown()).regions(1);
    let owner = owner.finish().unwrap();
    let region = owner.op(ir).region(0).unwrap();
    let first: Vec<_> = (0..size)
        .map(|_| region.append_block(&[]).unwrap())
        .collect();
    let end = region.append_block(&[]).unwrap();
    for block in first {
        let branch = ir.build("test.branch", ctx.unknown()).successor(end);
        branch.at_end(block).unwrap();
    }
    (owner, region, end)
}

/// The text of so many functions.
fn functions(size: usize) -> String {
    let function = |number| {
        format!(
            "func.func @f{number}(%a: i32) {{ %0 = arith.addi %a, %a : i32 \"test.use\"(%0) : (i32) -> () return }}\n"
        )
    };
    (0..size).map(function).collect()
}

fn run_all() {
    let mut context = Context::new();
    context.allow_unregistered(true);
    for (_, size, case) in CASES {
        for size in [*size, 4 * size] {
            context.enter(|ctx, ir| case(ctx, ir, size));
            // An empty count ends the case.
            counted(&mut || ());
        }
    }
}

/// The instructions of each count, in their order.
fn instructions(folder: &Path) -> Vec<u64> {
    let mut parts: Vec<(usize, u64)> = fs::read_dir(folder)
        .expect("the folder of callgrind")
        .filter_map(|file| {
            let text = fs::read_to_string(file.ok()?.path()).ok()?;
            let after = |key: &str| text.lines().find_map(|line| line.strip_prefix(key));
            let part = after("part: ")?.trim().parse().ok()?;
            Some((part, after("summary: ")?.trim().parse().ok()?))
        })
        .collect();
    parts.sort_unstable();
    parts.into_iter().map(|(_, count)| count).collect()
}

#[test]
fn no_call_takes_time_out_of_proportion() {
    if std::env::var_os(COUNTED).is_some() {
        return run_all();
    }
    let valgrind = std::env::var("MONDO_VALGRIND").unwrap_or_else(|_| "valgrind".to_owned());
    let mut words = valgrind.split(' ');
    let folder = std::env::temp_dir().join(format!("mondo-growth-{}", std::process::id()));
    fs::create_dir_all(&folder).expect("a folder for callgrind");
    let output = Command::new(words.next().expect("a command"))
        .args(words)
        .arg("--tool=callgrind")
        .arg(format!("--callgrind-out-file={}/count", folder.display()))
        .args(["--collect-atstart=no", "--dump-line=no"])
        .arg(std::env::current_exe().expect("the path of this program"))
        .args(["--test-threads=1", "--nocapture"])
        .env(COUNTED, "1")
        .output()
        .expect("valgrind starts");
    let counts = instructions(&folder);
    fs::remove_dir_all(&folder).expect("callgrind's folder");
    assert!(
        output.status.success(),
        "{}",
        String::from_utf8_lossy(&output.stderr)
    );
    // The empty counts are the smallest.
    let empty = counts.iter().min().copied().unwrap_or_default();
    let sums: Vec<u64> = counts
        .split(|count| *count < empty + 100)
        .map(|counts| counts.iter().sum())
        .collect();
    let mut wrong = Vec::new();
    for ((name, size, _), sums) in CASES.iter().zip(sums.chunks(2)) {
        let growth = sums[1] as f64 / sums[0] as f64;
        let line = format!(
            "{name}: {} at {size}, {} at {}, {growth:.2} times",
            sums[0],
            sums[1],
            4 * size
        );
        println!("{line}");
        if growth > MOST {
            wrong.push(line);
        }
    }
    assert!(
        sums.len() >= 2 * CASES.len(),
        "{} counts of {} cases",
        counts.len(),
        CASES.len()
    );
    assert!(wrong.is_empty(), "{wrong:#?}");
}
