//! An index of many patterns that finds those that match a name, without trying them one by one.
//!
//! A pattern without wildcards is in a hash table. Any other pattern is found by literal bytes that
//! every matching name contains. That is its prefix or its suffix, each in a trie, if few other
//! patterns have the same one. Otherwise it is the rarest run of up to four literal bytes, in a
//! table in which all runs of a name are looked up. A pattern without such bytes (`*`, `?*`) is
//! tried with every name.

use super::glob::Glob;
use super::prefix_trie::{MAX_DEPTH, PrefixTrie};
use skald_core::id;
use skald_core::ids::Column;
use skald_core::unordered::UnorderedMap;

/// Most patterns with the same prefix or suffix that are found by it.
const FEW: usize = 8;

/// The lengths of runs.
const LENGTHS: std::ops::RangeInclusive<usize> = 2..=4;

id! {
    /// A pattern of an index, in the order in which they were given.
    GlobId
}

/// Compiled patterns by the literal bytes that they require; [`GlobIndex::visit`] finds the
/// matching ones.
#[derive(Debug, Default)]
pub struct GlobIndex {
    globs: Column<GlobId, Glob>,
    exact: UnorderedMap<Vec<u8>, GlobId>,
    /// Bit `length` is set for each exact name, the last one for all long ones.
    exact_lengths: u64,
    prefixes: PrefixTrie<TriePattern>,
    /// By the suffix, backwards.
    suffixes: PrefixTrie<TriePattern>,
    runs: RunTable,
    /// Patterns that are tried with every name.
    others: Vec<GlobId>,
}

/// A pattern at a node of a trie.
#[derive(Debug, Clone, Copy)]
struct TriePattern {
    glob: GlobId,
    /// Whether every name that reaches the node matches.
    is_sure: bool,
}

#[derive(Debug, Default)]
struct RunTable {
    of_run: UnorderedMap<u64, Vec<GlobId>>,
    /// By length of run, a bit for each hash of one.
    filters: [Option<Box<[u64; FILTER_WORDS]>>; 5],
}

const FILTER_WORDS: usize = 1 << 10;

/// A run as a number, and its bit of the filter.
fn run_key(run: &[u8]) -> (u64, usize) {
    let key = run.iter().fold(run.len() as u64, |key, &byte| key << 8 | u64::from(byte));
    let hash = key.wrapping_mul(0x9e37_79b9_7f4a_7c15) >> 48;
    (key, hash as usize)
}

fn runs_of(literal: &[u8]) -> impl Iterator<Item = &[u8]> {
    literal.windows(literal.len().min(*LENGTHS.end()).max(1))
}

impl RunTable {
    fn insert(&mut self, run: &[u8], glob: GlobId) {
        let (key, bit) = run_key(run);
        let filter = &mut self.filters[run.len()];
        let filter = filter.get_or_insert_with(|| Box::new([0; FILTER_WORDS]));
        filter[bit / 64] |= 1 << (bit % 64);
        self.of_run.entry(key).or_default().push(glob);
    }

    fn visit(&self, name: &[u8], mut see: impl FnMut(GlobId)) {
        for length in LENGTHS {
            let Some(filter) = &self.filters[length] else { continue };
            for run in name.windows(length) {
                let (key, bit) = run_key(run);
                if filter[bit / 64] >> (bit % 64) & 1 != 0 {
                    self.of_run.get(&key).into_iter().flatten().for_each(|&glob| see(glob));
                }
            }
        }
    }
}

/// The literal bytes by which a wildcard pattern is found.
struct FixedParts {
    prefix: Vec<u8>,
    suffix: Vec<u8>,
    literals: Vec<Vec<u8>>,
}

impl FixedParts {
    fn of(glob: &Glob) -> FixedParts {
        let mut prefix = glob.literal_prefix();
        prefix.truncate(MAX_DEPTH);
        let mut suffix = glob.literal_suffix();
        suffix.reverse();
        suffix.truncate(MAX_DEPTH);
        FixedParts { prefix, suffix, literals: glob.literals() }
    }

    fn runs(&self) -> impl Iterator<Item = &[u8]> {
        self.literals.iter().filter(|run| run.len() >= *LENGTHS.start()).flat_map(|l| runs_of(l))
    }
}

impl GlobIndex {
    /// An index of different patterns, which are numbered in their order.
    pub fn new(globs: Column<GlobId, Glob>) -> GlobIndex {
        let mut index = GlobIndex::default();
        let mut wildcards = Vec::new();
        for (at, glob) in globs.with_ids() {
            match glob.as_literal() {
                Some(name) => {
                    index.exact_lengths |= length_bit(name);
                    index.exact.insert(name.to_vec(), at);
                }
                None => wildcards.push((at, FixedParts::of(glob))),
            }
        }
        let mut at_prefix: UnorderedMap<&[u8], usize> = UnorderedMap::new();
        let mut at_suffix: UnorderedMap<&[u8], usize> = UnorderedMap::new();
        let mut with_run: UnorderedMap<u64, usize> = UnorderedMap::new();
        for (_, ends) in &wildcards {
            *at_prefix.entry(&ends.prefix).or_default() += 1;
            *at_suffix.entry(&ends.suffix).or_default() += 1;
            for run in ends.runs() {
                *with_run.entry(run_key(run).0).or_default() += 1;
            }
        }
        for (at, ends) in &wildcards {
            let glob = &globs[*at];
            let is_prefix = glob.is_prefix() && ends.prefix.len() < MAX_DEPTH;
            let hanging = TriePattern { glob: *at, is_sure: is_prefix };
            let crowd =
                |count: usize, bytes: &[u8]| if bytes.is_empty() { usize::MAX } else { count };
            let by_prefix = crowd(at_prefix[&*ends.prefix], &ends.prefix);
            let by_suffix = crowd(at_suffix[&*ends.suffix], &ends.suffix);
            let count = |run: &&[u8]| with_run[&run_key(run).0];
            let rarest = ends.runs().min_by_key(count).filter(|run| {
                count(run) < by_prefix.min(by_suffix) && by_prefix.min(by_suffix) > FEW
            });
            match rarest {
                _ if is_prefix && !ends.prefix.is_empty() => {
                    index.prefixes.insert(&ends.prefix, hanging);
                }
                Some(run) => index.runs.insert(run, *at),
                None if by_prefix.min(by_suffix) == usize::MAX => index.others.push(*at),
                None if by_prefix <= by_suffix => index.prefixes.insert(&ends.prefix, hanging),
                None => index.suffixes.insert(&ends.suffix, hanging),
            }
        }
        GlobIndex { globs, ..index }
    }

    /// Calls `see` with the number of each pattern that matches `name`, in any order, some perhaps
    /// more than once. Wildcard patterns for which `is_open` is false are not tried.
    #[inline]
    pub fn visit(
        &self,
        name: &[u8],
        is_open: impl Fn(GlobId) -> bool,
        mut see: impl FnMut(GlobId),
    ) {
        self.visit_exact(name, &mut see);
        self.visit_wildcards(name, is_open, see);
    }

    #[inline]
    fn visit_exact(&self, name: &[u8], see: &mut impl FnMut(GlobId)) {
        if self.exact_lengths & length_bit(name) != 0
            && let Some(&at) = self.exact.get(name)
        {
            see(at);
        }
    }

    fn visit_wildcards(
        &self,
        name: &[u8],
        is_open: impl Fn(GlobId) -> bool,
        mut see: impl FnMut(GlobId),
    ) {
        let mut try_glob = |at: GlobId, is_sure: bool| {
            if is_open(at) && (is_sure || self.globs[at].matches(name)) {
                see(at);
            }
        };
        self.prefixes.visit(name, |all| {
            all.iter().for_each(|hanging| try_glob(hanging.glob, hanging.is_sure));
        });
        self.suffixes.visit_backwards(name, |all| {
            all.iter().for_each(|hanging| try_glob(hanging.glob, false));
        });
        self.runs.visit(name, |at| try_glob(at, false));
        self.others.iter().for_each(|&at| try_glob(at, false));
    }
}

fn length_bit(name: &[u8]) -> u64 {
    1 << name.len().min(63)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn found(index: &GlobIndex, name: &str) -> Vec<GlobId> {
        let mut found = Vec::new();
        index.visit(name.as_bytes(), |_| true, |at| found.push(at));
        found.sort_unstable();
        found.dedup();
        found
    }

    #[test]
    fn those_are_found_that_match() {
        let mut patterns: Vec<String> = ["*", "?*", "a", "ab*", "*.o", "[ab]c", "*b*", "", "a*b"]
            .iter()
            .map(|&pattern| pattern.to_owned())
            .collect();
        // Many of each shape, so that each kind of table is used.
        for at in 0..40 {
            for shape in ["t.{}*", "*_{}", "t.*_{}*", "*[ab]{}?", "t.*{}.o", "{}", "*{}*"] {
                patterns.push(shape.replace("{}", &at.to_string()));
            }
        }
        patterns.push(format!("{}*", "x".repeat(40)));
        patterns.push(format!("{}y*", "x".repeat(40)));
        let globs: Column<GlobId, Glob> =
            patterns.iter().map(|p| Glob::new(p.as_bytes())).collect();
        let index = GlobIndex::new(globs.clone());
        let mut names: Vec<String> = (0..50).map(|at| format!("t.f_{at}.o")).collect();
        names
            .extend((0..50).flat_map(|at| [format!("t.{at}"), format!("xa{at}c"), at.to_string()]));
        names.extend(["", "a", "ab", "ac", "b", ".o", "t."].map(str::to_owned));
        names.extend(["x".repeat(39), "x".repeat(40), format!("{}y", "x".repeat(40))]);
        for name in &names {
            let all = globs.with_ids().filter(|(_, glob)| glob.matches(name.as_bytes()));
            let all: Vec<GlobId> = all.map(|(at, _)| at).collect();
            assert_eq!(found(&index, name), all, "{name}");
        }
    }
}
