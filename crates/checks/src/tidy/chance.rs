//! Rules about nondeterminism: what differs from run to run must not reach an output.

use super::source::Source;
use regex::Regex;
use std::sync::LazyLock;

type Findings = Vec<(usize, String)>;

/// Files that wrap hash tables and rayon's sorts, or take random decisions on purpose.
const EXCEPT: [&str; 3] = [
    "crates/core/src/unordered.rs",
    "crates/core/src/par/recorded.rs",
    "crates/core/src/perturb.rs",
];

/// The rules hold for the linker only, not for the tools around it.
fn is_linker(source: &Source) -> bool {
    let path = &source.path;
    path.starts_with("crates/")
        && !["crates/testkit/", "crates/verify/", "crates/checks/"]
            .iter()
            .any(|folder| path.starts_with(folder))
        && !EXCEPT.contains(&path.as_str())
}

/// Hash tables that can be iterated are not used: `core::unordered` has tables that hide their
/// order.
pub fn unordered_tables(source: &Source, findings: &mut Findings) {
    static TABLE: LazyLock<Regex> =
        LazyLock::new(|| Regex::new(r"\b(Hash(?:Map|Set)|hashbrown|dashmap)\b").expect("constant"));
    for line in source.code_lines().filter(|_| is_linker(source)) {
        if let Some(found) = TABLE.captures(&line.code) {
            let what = format!("{} shows its order: use skald_core::unordered", &found[1]);
            findings.push((line.number, what));
        }
    }
}

/// Searches that return whatever a thread finds first are not used.
pub fn first_come(source: &Source, findings: &mut Findings) {
    static ANY: LazyLock<Regex> = LazyLock::new(|| {
        Regex::new(r"\b((?:find|position|find_map)_any|par_bridge)\b").expect("constant")
    });
    for line in source.code_lines().filter(|_| is_linker(source)) {
        if let Some(found) = ANY.captures(&line.code) {
            let what = format!("{} depends on which thread is first", &found[1]);
            findings.push((line.number, what));
        }
    }
}

/// Input of an unstable sort goes through `perturb::shuffled`, so that nothing can rely on the
/// resulting order of equal elements.
pub fn unstable_sorts(source: &Source, findings: &mut Findings) {
    let lines: Vec<_> = source.code_lines().filter(|_| is_linker(source)).collect();
    for (at, line) in lines.iter().enumerate() {
        let is_shuffled =
            || lines[at.saturating_sub(2)..=at].iter().any(|l| l.code.contains("shuffled("));
        if line.code.contains("sort_unstable") && !is_shuffled() {
            findings.push((line.number, "an unstable sort without perturb::shuffled".to_owned()));
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn findings(rule: fn(&Source, &mut Findings), path: &str, text: &str) -> Vec<usize> {
        let mut found = Vec::new();
        rule(&Source::parse(path, text), &mut found);
        found.into_iter().map(|(line, _)| line).collect()
    }

    #[test]
    fn chance_is_found() {
        let path = "crates/elf/src/layout/order.rs";
        let text = "use std::collections::HashMap;\nlet all: HashSet<u32>;\nUnorderedMap::new();\n";
        assert_eq!(findings(unordered_tables, path, text), [1, 2]);
        assert!(findings(unordered_tables, "crates/core/src/unordered.rs", text).is_empty());
        assert!(findings(unordered_tables, "xtask/src/bench/mod.rs", text).is_empty());
        assert_eq!(findings(first_come, path, "a.find_any(b);\na.find_first(b);\n"), [1]);
        let sorts = "a.sort_unstable();\n\n\nshuffled(&mut a)\n    .par_sort_unstable_by(b);\n";
        assert_eq!(findings(unstable_sorts, path, sorts), [1]);
    }
}
