//! The order of messages is defined in a single file.

use super::source::Source;
use regex::Regex;
use std::sync::LazyLock;

/// The file that defines the order.
const ORDER: &str = "crates/elf/src/diagnose/order.rs";

/// Finds constants for sort keys of messages in other files.
pub fn check(source: &Source, findings: &mut Vec<(usize, String)>) {
    static KEY: LazyLock<Regex> =
        LazyLock::new(|| Regex::new(r"const (\w+_)?KEY: u64").expect("a constant pattern"));
    if source.path == ORDER || !source.path.starts_with("crates/elf/src/") {
        return;
    }
    for line in source.lines.iter().filter(|line| KEY.is_match(&line.code)) {
        findings.push((line.number, format!("a key of messages: {ORDER} has a kind for each")));
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn keys_of_its_own_are_found() {
        let found = |path: &str| {
            let mut findings = Vec::new();
            check(&Source::parse(path, "const ODR_KEY: u64 = 1 << 39;\n"), &mut findings);
            findings.len()
        };
        assert_eq!((found("crates/elf/src/check/odr.rs"), found(ORDER)), (1, 0));
    }
}
