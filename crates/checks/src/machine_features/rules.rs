//! The pairs of features that are refused, and what a feature cannot do with another one.

use super::features::{Feature, Shape};
use skald_testkit::machine::Machine;

/// Two names, of features or a shape, and a text.
type Row = (&'static str, &'static str, &'static str);

/// Two features, or a feature and a shape, and a text of the message by which skald refuses them.
#[rustfmt::skip]
const REFUSED: &[Row] = &[
    ("debug-names", "dedup-all", "may not be used together"),
    ("dwp", "strip", "may not be used together"),
    ("emit-relocs", "dedup", "may not be used together"),
    ("emit-relocs", "dedup-all", "may not be used together"),
    ("separate", "only-debug", "may not be used together"),
];

/// The same for one machine. Compilers for i386 have distances in position-independent code, where
/// what they lead to may not move.
const REFUSED_FOR: &[(&str, &[Row])] =
    &[("i386", &[("llvm-lto", "just-symbols", "cannot refer to absolute symbol")])];

/// Two features, or a feature and a shape, of which the second one takes what the first one changes
/// from what the program prints; and why.
const UNCHANGED: &[Row] = &[
    ("wrap", "joined", "what -r joins defines the function that it calls"),
    ("wrap", "lto", "GNU ld and GCC's plugin resolve a name that intermediate code defines"),
    ("wrap", "llvm-lto", "GNU ld and LLVM's plugin do, too"),
];

/// A feature and a shape or another feature, and why GNU ld's output prints something else.
const OTHERWISE: &[Row] = &[
    ("just-symbols", "pie", MOVED),
    ("just-symbols", "static-pie", MOVED),
    ("just-symbols", "shared", MOVED),
    ("dynamic-list", "static-pie", EXPORTED),
    ("export-dynamic", "static-pie", EXPORTED),
    ("just-symbols", "fixed", UNVERSIONED),
    ("script", "insert", NOT_FOUND),
    ("memory", "insert", NOT_FOUND),
    ("headers", "insert", NOT_FOUND),
    ("llvm-lto", "binary", "for AArch64 in the other byte order, GNU ld is killed"),
    ("version-script", "just-symbols", "GNU ld ends with an assertion"),
    ("version-script", "static-pie", "for x86-64, GNU ld ends with an assertion"),
    ("emit-relocs", "strip", "GNU ld refuses relocations without symbols"),
];

const UNVERSIONED: &str =
    "for AArch64 in the other byte order, GNU ld asks for versions of libraries that have none";
const NOT_FOUND: &str = "GNU ld does not find the section there that it inserts behind";
const MOVED: &str = "for AArch64, the loader moves what GNU ld takes from a finished program";
const EXPORTED: &str = "for i386, GNU ld's program is killed before it begins";

/// The text by which skald refuses the cell, if it does.
pub fn refusal(machine: &Machine, shape: Shape, features: &[&Feature]) -> Option<&'static str> {
    let own = REFUSED_FOR.iter().filter(|(word, _)| *word == machine.word);
    let tables = own.map(|(_, table)| *table).chain([REFUSED]);
    tables.filter_map(|table| find(table, shape, features)).next()
}

/// Why `feature` changes nothing of what is printed in this cell.
pub fn is_unchanged(feature: &Feature, features: &[&Feature]) -> bool {
    let has = |name: &str| features.iter().any(|one| one.name == name);
    UNCHANGED.iter().any(|(one, other, _)| *one == feature.name && has(other))
}

/// Why GNU ld's output is not compared, if it is not.
pub fn otherwise(shape: Shape, features: &[&Feature]) -> Option<&'static str> {
    find(OTHERWISE, shape, features)
}

fn find(table: &[Row], shape: Shape, features: &[&Feature]) -> Option<&'static str> {
    let has = |name: &str| shape.word() == name || features.iter().any(|one| one.name == name);
    table.iter().find(|(one, other, _)| has(one) && has(other)).map(|row| row.2)
}

#[cfg(test)]
mod tests {
    use super::super::features::{self, Shape};
    use super::{OTHERWISE, REFUSED, REFUSED_FOR, UNCHANGED};
    use skald_testkit::machine;

    #[test]
    fn rules_name_features_and_shapes() {
        let features = features::of(machine::native());
        let is_known = |name: &str| {
            features.iter().any(|one| one.name == name)
                || Shape::ALL.iter().any(|shape| shape.word() == name)
        };
        let of_machines = REFUSED_FOR.iter().flat_map(|(_, table)| *table);
        for (one, other, _) in REFUSED.iter().chain(UNCHANGED).chain(OTHERWISE).chain(of_machines) {
            assert!(is_known(one) && is_known(other), "{one} {other}");
        }
    }
}
