//! The pairs of features that are refused, and what a feature cannot do with another one.

use super::features::{Feature, Shape};

/// Two features, or a feature and a shape, and a text of the message by which skald refuses them.
#[rustfmt::skip]
const REFUSED: &[(&str, &str, &str)] = &[
    ("debug-names", "dedup-all", "may not be used together"),
    ("dwp", "strip", "may not be used together"),
    ("emit-relocs", "dedup", "may not be used together"),
    ("emit-relocs", "dedup-all", "may not be used together"),
    ("separate", "only-debug", "may not be used together"),
];

/// Two features, or a feature and a shape, of which the second one takes what the first one changes
/// from what the program prints; and why.
const UNCHANGED: &[(&str, &str, &str)] = &[
    ("wrap", "joined", "what -r joins defines the function that it calls"),
    ("wrap", "lto", "GNU ld and GCC's plugin resolve a name that intermediate code defines"),
];

/// A feature and a shape or another feature, and why GNU ld's output prints something else.
const OTHERWISE: &[(&str, &str, &str)] = &[
    ("just-symbols", "pie", MOVED),
    ("just-symbols", "static-pie", MOVED),
    ("just-symbols", "shared", MOVED),
    ("dynamic-list", "static-pie", EXPORTED),
    ("export-dynamic", "static-pie", EXPORTED),
    ("script", "insert", "GNU ld does not find the section there that it inserts behind"),
    ("version-script", "just-symbols", "GNU ld ends with an assertion"),
    ("emit-relocs", "strip", "GNU ld refuses relocations without symbols"),
];

const MOVED: &str = "for AArch64, the loader moves what GNU ld takes from a finished program";
const EXPORTED: &str = "for i386, GNU ld's program is killed before it begins";

/// The text by which skald refuses the cell, if it does.
pub fn refusal(shape: Shape, features: &[&Feature]) -> Option<&'static str> {
    find(REFUSED, shape, features)
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

fn find(
    table: &[(&'static str, &'static str, &'static str)],
    shape: Shape,
    features: &[&Feature],
) -> Option<&'static str> {
    let has = |name: &str| shape.word() == name || features.iter().any(|one| one.name == name);
    table.iter().find(|(one, other, _)| has(one) && has(other)).map(|row| row.2)
}

#[cfg(test)]
mod tests {
    use super::super::features::{self, Shape};
    use super::{OTHERWISE, REFUSED, UNCHANGED};
    use skald_testkit::machine;

    #[test]
    fn rules_name_features_and_shapes() {
        let features = features::of(machine::native());
        let is_known = |name: &str| {
            features.iter().any(|one| one.name == name)
                || Shape::ALL.iter().any(|shape| shape.word() == name)
        };
        for (one, other, _) in REFUSED.iter().chain(UNCHANGED).chain(OTHERWISE) {
            assert!(is_known(one) && is_known(other), "{one} {other}");
        }
    }
}
