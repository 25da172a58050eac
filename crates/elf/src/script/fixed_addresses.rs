//! The addresses that a script states, as far as they are known before the layout.

use super::layout_script::LayoutScript;
use super::statements::Statement;
use skald_core::unordered::UnorderedMap;
use skald_linking::expr::{Constant, Environment, Expr, SectionAddress, Value};

/// What is known before the layout: symbols that are plain numbers. Headers have no size yet, which
/// is little beside the distances that are asked for.
#[derive(Default)]
struct Known<'a>(UnorderedMap<&'a [u8], u64>);

impl Known<'_> {
    fn value(&self, expr: &Expr) -> Option<u64> {
        expr.eval(self).ok().map(|value| value.address)
    }
}

impl Environment for Known<'_> {
    fn symbol(&self, name: &[u8]) -> Option<Value> {
        self.0.get(name).map(|&address| Value::absolute(address))
    }

    fn section(&self, _: &[u8]) -> Option<SectionAddress> {
        None
    }

    fn segment_start(&self, _: &[u8]) -> Option<u64> {
        None
    }

    fn constant(&self, _: Constant) -> u64 {
        0
    }

    fn sizeof_headers(&self) -> u64 {
        0
    }

    fn dot(&self) -> Option<Value> {
        None
    }
}

impl LayoutScript {
    /// The addresses of sections, memory regions and the location counter that follow from numbers
    /// alone. Zero is left out: it is the address of what is not loaded.
    pub fn fixed_addresses(&self) -> Vec<u64> {
        let mut known = Known::default();
        let mut found = Vec::new();
        for statement in &self.statements {
            match statement {
                Statement::Output(output) => {
                    found.extend(output.address.as_ref().and_then(|at| known.value(at)));
                }
                Statement::Assign(assign) => match known.value(&assign.expr) {
                    Some(value) if assign.is_dot() => found.push(value),
                    Some(value) => drop(known.0.insert(&assign.name, value)),
                    None => {}
                },
                _ => {}
            }
        }
        found.extend(self.regions.iter().filter_map(|region| known.value(&region.origin)));
        found.retain(|&address| address != 0);
        found
    }
}
