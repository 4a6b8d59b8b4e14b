//! Programs that nobody wrote, for the comparison of the compiler with the interpreter.

use std::fmt::Write;

/// A sequence of numbers that look random (splitmix64).
struct Numbers(u64);

impl Numbers {
    fn next(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mixed = (self.0 ^ (self.0 >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        let mixed = (mixed ^ (mixed >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        mixed ^ (mixed >> 31)
    }

    fn below(&mut self, limit: usize) -> usize {
        (self.next() % limit as u64) as usize
    }

    fn one_in(&mut self, count: usize) -> bool {
        self.below(count) == 0
    }
}

struct Generator {
    numbers: Numbers,
    text: String,
    /// The numbers and arrays that are visible, and which of them may not be assigned to, as loops count with them.
    variables: Vec<(String, bool)>,
    arrays: Vec<String>,
    /// The functions before this one, with the numbers of their parameters.
    functions: Vec<(String, usize)>,
    names: usize,
    indent: usize,
}

/// The text of a program, the same one for the same seed. Its function `main` has two parameters. All of its loops end.
pub fn generate(seed: u64) -> String {
    let mut generator = Generator {
        numbers: Numbers(seed),
        text: String::new(),
        variables: Vec::new(),
        arrays: Vec::new(),
        functions: Vec::new(),
        names: 0,
        indent: 0,
    };
    for index in 0..generator.numbers.below(3) {
        let parameters = generator.numbers.below(4);
        generator.function(&format!("f{index}"), parameters);
    }
    generator.function("main", 2);
    generator.text
}

const OPERATORS: [&str; 14] = [
    "+", "-", "*", "/", "%", "&", "|", "^", "==", "!=", "<", "<=", ">", ">=",
];
const SPECIAL: [&str; 6] = [
    "0",
    "1",
    "2",
    "9223372036854775807",
    "(-9223372036854775807 - 1)",
    "-1",
];

impl Generator {
    fn line(&mut self, text: &str) {
        let _ = writeln!(self.text, "{:indent$}{text}", "", indent = 2 * self.indent);
    }

    fn fresh(&mut self) -> String {
        self.names += 1;
        format!("v{}", self.names)
    }

    fn function(&mut self, name: &str, parameters: usize) {
        self.variables.clear();
        self.arrays.clear();
        for _ in 0..parameters {
            let name = self.fresh();
            self.variables.push((name, true));
        }
        let names: Vec<_> = self
            .variables
            .iter()
            .map(|(name, _)| name.clone())
            .collect();
        self.line(&format!("fn {name}({}) {{", names.join(", ")));
        self.indent += 1;
        for _ in 0..2 + self.numbers.below(6) {
            self.statement(3);
        }
        // The result depends on all that was computed.
        let mut result = self.expression(3);
        for (name, _) in &self.variables {
            result = format!("({result} * 31 + {name})");
        }
        for name in &self.arrays {
            result = format!("({result} * 31 + {name}[0] - 7 * {name}[1])");
        }
        self.line(&format!("return {result};"));
        self.indent -= 1;
        self.line("}");
        self.functions.push((name.to_owned(), parameters));
    }

    fn block(&mut self, depth: usize) {
        let (variables, arrays) = (self.variables.len(), self.arrays.len());
        self.indent += 1;
        for _ in 0..self.numbers.below(4) {
            self.statement(depth);
        }
        self.indent -= 1;
        self.variables.truncate(variables);
        self.arrays.truncate(arrays);
    }

    fn statement(&mut self, depth: usize) {
        let choices = if depth == 0 { 5 } else { 8 };
        match self.numbers.below(choices) {
            0 | 1 => {
                let (value, name) = (self.expression(3), self.fresh());
                self.line(&format!("let {name} = {value};"));
                self.variables.push((name, true));
            }
            2 => {
                let (name, length) = (self.fresh(), 1 + self.numbers.below(9));
                self.line(&format!("let {name}[{length}];"));
                self.arrays.push(name);
            }
            3 if !self.arrays.is_empty() => {
                let array = self.arrays[self.numbers.below(self.arrays.len())].clone();
                let (index, value) = (self.expression(2), self.expression(3));
                self.line(&format!("{array}[{index}] = {value};"));
            }
            3 | 4 => {
                let free: Vec<_> = self.variables.iter().filter(|(_, free)| *free).collect();
                if !free.is_empty() {
                    let name = free[self.numbers.below(free.len())].0.clone();
                    let value = self.expression(3);
                    self.line(&format!("{name} = {value};"));
                }
            }
            5 => {
                let condition = self.expression(2);
                self.line(&format!("if {condition} {{"));
                self.block(depth - 1);
                if self.numbers.one_in(2) {
                    self.line("} else {");
                    self.block(depth - 1);
                }
                self.line("}");
            }
            6 => {
                let (name, from) = (self.fresh(), self.numbers.below(5));
                let to = from + self.numbers.below(6);
                self.line(&format!("for {name} in {from}..{to} {{"));
                self.variables.push((name, true));
                self.block(depth - 1);
                self.variables.pop();
                self.line("}");
            }
            _ => {
                let (name, times) = (self.fresh(), self.numbers.below(6));
                self.line(&format!("let {name} = {times};"));
                self.line(&format!("while {name} > 0 {{"));
                self.variables.push((name.clone(), false));
                self.indent += 1;
                self.line(&format!("{name} = {name} - 1;"));
                self.indent -= 1;
                self.block(depth - 1);
                self.line("}");
            }
        }
    }

    fn expression(&mut self, depth: usize) -> String {
        if depth == 0 || self.numbers.one_in(5) {
            if self.variables.is_empty() || self.numbers.one_in(3) {
                return match self.numbers.below(3) {
                    0 => SPECIAL[self.numbers.below(SPECIAL.len())].to_owned(),
                    _ => self.numbers.below(100).to_string(),
                };
            }
            return self.variables[self.numbers.below(self.variables.len())]
                .0
                .clone();
        }
        match self.numbers.below(10) {
            0 => format!("-({})", self.expression(depth - 1)),
            1 => format!("!({})", self.expression(depth - 1)),
            2 | 3 if !self.arrays.is_empty() => {
                let array = self.arrays[self.numbers.below(self.arrays.len())].clone();
                format!("{array}[{}]", self.expression(depth - 1))
            }
            4 if !self.functions.is_empty() && depth == 3 => {
                let index = self.numbers.below(self.functions.len());
                let (name, count) = self.functions[index].clone();
                let arguments: Vec<_> = (0..count).map(|_| self.expression(1)).collect();
                format!("{name}({})", arguments.join(", "))
            }
            _ => {
                let operator = OPERATORS[self.numbers.below(OPERATORS.len())];
                let (left, right) = (self.expression(depth - 1), self.expression(depth - 1));
                format!("({left} {operator} {right})")
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{Interpreter, parse};

    #[test]
    fn each_program_is_one_and_ends() {
        let mut results = std::collections::HashSet::new();
        for seed in 0..500 {
            let text = generate(seed);
            let program = parse(&text).unwrap_or_else(|error| panic!("{error}\n{text}"));
            let result = Interpreter::new(&program, 10_000_000).call("main", &[7, -3]);
            results.insert(result.unwrap_or_else(|stopped| panic!("{stopped:?}\n{text}")));
        }
        assert!(results.len() > 200, "{}", results.len());
    }
}
