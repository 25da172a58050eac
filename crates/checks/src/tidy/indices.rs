//! Columns are indexed by ids with a type, not by numbers: how often numbers still do, which may
//! only fall.

use super::source::Source;

/// Numbers that are cast to index something, outside `core`. The ratchet: to be lowered with what
/// is found, never raised.
const LIMIT: usize = 60;

/// What such a cast looks like; put together, so that it is not one itself.
const CAST: &str = concat!("as usize", "]");

/// So many fewer may be found, so that not every small change touches this file.
const SLACK: usize = 10;

/// How many there are in a file.
pub fn untyped(source: &Source) -> usize {
    const FREE: [&str; 2] = ["crates/core/", "crates/host/"];
    if FREE.iter().any(|name| source.path.starts_with(name)) || !source.path.starts_with("crates/")
    {
        return 0;
    }
    source.lines.iter().map(|line| line.code.matches(CAST).count()).sum()
}

/// A finding if `total` of all files is more than there may be, or the limit can be lowered.
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
