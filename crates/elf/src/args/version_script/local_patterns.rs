//! The patterns of a version's own node, for symbols that have the version in their name.
//!
//! For `foo@V` only the node `V` counts: a `local:` pattern there hides the symbol, unless the node
//! also has a matching `global:` pattern, even a less exact one. This follows GNU ld
//! (`_bfd_elf_link_assign_sym_version`).

use super::parse::{ParsedNode, SymbolPattern};
use crate::args::dynamic_list::DynamicList;

/// The nodes of a script, by version. The patterns of a node are compiled when they are first used.
pub struct LocalPatterns<'a> {
    nodes: Vec<Node<'a>>,
}

struct Node<'a> {
    parsed: &'a ParsedNode,
    /// `None` until used: there may be thousands of nodes, of which few are used.
    compiled: Option<Box<Compiled>>,
}

struct Compiled {
    global: DynamicList,
    local: DynamicList,
}

impl<'a> LocalPatterns<'a> {
    pub(super) fn new(nodes: impl Iterator<Item = &'a ParsedNode>) -> LocalPatterns<'a> {
        LocalPatterns { nodes: nodes.map(|parsed| Node { parsed, compiled: None }).collect() }
    }

    /// Whether the node with version index `index` has `name` under `local:`.
    pub fn hide(
        &mut self,
        index: u16,
        name: &[u8],
        demangle: impl Fn(&[u8]) -> Option<String>,
    ) -> bool {
        let node = usize::from(index).checked_sub(usize::from(super::FIRST_NAMED));
        let Some(node) = node.and_then(|node| self.nodes.get_mut(node)) else { return false };
        let compile = || Box::new(Compiled::new(&node.parsed.patterns));
        let Compiled { global, local } = &**node.compiled.get_or_insert_with(compile);
        local.matches(name, &demangle) && !global.matches(name, &demangle)
    }
}

impl Compiled {
    fn new(patterns: &[SymbolPattern]) -> Compiled {
        let mut compiled =
            Compiled { global: DynamicList::default(), local: DynamicList::default() };
        // Most nodes have no pattern under `local:`, but may have many others.
        if patterns.iter().any(|pattern| pattern.local) {
            for pattern in patterns {
                let list = if pattern.local { &mut compiled.local } else { &mut compiled.global };
                list.add(pattern);
            }
        }
        compiled
    }
}

#[cfg(test)]
mod tests {
    use crate::args::version_script::VersionScript;

    #[test]
    fn only_the_own_node_counts() {
        let text = b"V1 { global: foo; bar*; local: *; }; V2 { baz; local: b*; } V1; V3 { };";
        let script = VersionScript::parse("s", text).expect("the script is valid");
        let mut nodes = script.local_patterns();
        let rows: [(u16, &str, bool); 9] = [
            (1, "x", false),
            (2, "foo", false),
            (2, "bark", false),
            (2, "baz", true),
            (3, "foo", false),
            (3, "bark", true),
            (3, "baz", false),
            (4, "x", false),
            (9, "x", false),
        ];
        for (index, name, expected) in rows {
            assert_eq!(nodes.hide(index, name.as_bytes(), |_| None), expected, "{index} {name}");
        }
    }
}
