//! The addresses that a script states, as far as they are known before the layout.

use super::layout_script::LayoutScript;
use super::statements::Statement;
use skald_core::unordered::UnorderedMap;
use skald_linking::expr::Expr;

impl LayoutScript {
    /// The addresses of sections, memory regions and the location counter that follow from numbers
    /// alone. Zero is left out: it is the address of what is not loaded.
    pub fn fixed_addresses(&self) -> Vec<u64> {
        let mut symbols = UnorderedMap::<&[u8], u64>::default();
        let mut found = Vec::new();
        let value = |expr: &Expr, symbols: &UnorderedMap<&[u8], u64>| {
            expr.estimate(|name| symbols.get(name).copied())
        };
        for statement in &self.statements {
            match statement {
                Statement::Output(output) => {
                    found.extend(output.address.as_ref().and_then(|at| value(at, &symbols)));
                }
                Statement::Assign(assign) => match value(&assign.expr, &symbols) {
                    Some(value) if assign.is_dot() => found.push(value),
                    Some(value) => drop(symbols.insert(&assign.name, value)),
                    None => {}
                },
                _ => {}
            }
        }
        found.extend(self.regions.iter().filter_map(|region| value(&region.origin, &symbols)));
        found.retain(|&address| address != 0);
        found
    }
}
