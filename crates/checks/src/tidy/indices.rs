//! Columns are indexed by typed ids, not by numbers. The count of numeric indices may only fall.

use super::source::Source;

/// Limit of casts to `usize` that index something, outside `core`. It is lowered when fewer are
/// found, and never raised.
const LIMIT: usize = 60;

/// The text of such a cast, in two pieces, so that this line is not counted.
const CAST: &str = concat!("as usize", "]");

/// The count may be this far below the limit, so that not every small change touches this file.
const SLACK: usize = 10;

/// Number of such casts in a file.
pub fn untyped(source: &Source) -> usize {
    const FREE: [&str; 2] = ["crates/core/", "crates/host/"];
    if FREE.iter().any(|name| source.path.starts_with(name)) || !source.path.starts_with("crates/")
    {
        return 0;
    }
    source.lines.iter().map(|line| line.code.matches(CAST).count()).sum()
}

/// A finding if `total`, of all files, exceeds the limit, or if the limit can be lowered.
pub fn judge(total: usize) -> Option<String> {
    if total > LIMIT {
        return Some(format!(
            "{total} times `{CAST}` outside core, where {LIMIT} are allowed: give the column an \
             id (core::ids)"
        ));
    }
    (total + SLACK < LIMIT).then(|| {
        format!("only {total} times `{CAST}` outside core: lower LIMIT in tidy/indices.rs")
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn casts_in_indices_are_counted() {
        let text = format!("fn f() {{\n    // a[b {CAST}\n    a[b {CAST} = c[d.e {CAST};\n}}\n");
        assert_eq!(untyped(&Source::parse("crates/elf/src/a.rs", &text)), 2);
        assert_eq!(untyped(&Source::parse("crates/core/src/a.rs", &text)), 0);
        assert!(judge(LIMIT).is_none() && judge(LIMIT + 1).is_some());
        assert!(judge(LIMIT - SLACK).is_none() && judge(LIMIT - SLACK - 1).is_some());
    }
}
