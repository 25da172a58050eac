//! Version scripts: which version a defined symbol gets, or whether it becomes local.
//!
//! Syntax: GNU ld manual, "VERSION Command". Accepted beyond it, as lld or users want: `global:`
//! and `local:` in any order and number, a missing `;` before `}` and at the end of the file, a
//! `VERSION { }` around the nodes, an empty file.
//!
//! # Which pattern decides
//! As GNU ld (`bfd_find_version_for_sym`), strongest first:
//! 1. An exact name: no wildcard, or quoted. Of several, the one in the earliest node; in a node
//!    `global:` before `local:`.
//! 2. `global:` wildcards other than a bare `*`; of several, the one in the latest node.
//! 3. `local:` wildcards other than a bare `*`.
//! 4. `*` under `global:`; of several, the latest node's.
//! 5. `*` under `local:`.
//!
//! lld differs in 2 and 3, which are one class for it: the later node wins, and `global:` wins only
//! within a node. For `V1 { f*; }; V2 { local: fo*; };` GNU ld makes `foo` V1, lld makes it local.
//! GNU ld refuses a pattern that is global in one node and local in another ("duplicate
//! expression"); lld takes the first and warns for exact names, and so do we.
//!
//! `extern "C++"` patterns see the demangled name, or the name itself if it does not demangle.
//!
//! Several scripts can be joined ([`VersionScript::join`]), each with or without an anonymous node.
//! GNU ld refuses that for anonymous nodes and lld allows it; compilers that bring a script of
//! their own rely on it.

mod local_patterns;
mod parse;

pub use local_patterns::LocalPatterns;
pub(crate) use parse::{SymbolPattern, parse_block};

use parse::{ParsedNode, is_version_command, parse_node};
use skald_core::diag::{Error, Result};
use skald_core::id;
use skald_core::ids::{Column, IdSlice};
use skald_core::unordered::UnorderedMap;
use skald_linking::glob::Glob;
use skald_linking::lexer::{Kind, Lexer, Mode, error_at};
use skald_linking::pattern_set::{Order, PatternSet};
use std::sync::Arc;

/// VER_NDX_GLOBAL of the gABI's symbol versioning: the base version.
pub const VERSION_GLOBAL: u16 = 1;

/// Version index of the first named node; 1 is the base definition.
const FIRST_NAMED: u16 = 2;

/// Bit 15 of a version index is the hidden flag (LSB, "Symbol Version Table").
const MAX_VERSION: usize = 0x7fff;

/// The effect of a version script on a name.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Assignment {
    /// `local:`: the symbol is not exported.
    Local,
    /// `global:`: it is exported with this version index; [`VERSION_GLOBAL`] from an anonymous
    /// node.
    Global(u16),
}

id! {
    /// A pattern of a version script without a wildcard, in script order.
    ExactId
}

/// An assignment and the exact pattern it came from.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Match {
    /// The version, or `local`.
    pub assignment: Assignment,
    /// The exact pattern that matched; `None` if a wildcard did.
    pub exact: Option<ExactId>,
}

/// A named version node.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct VersionNode {
    /// The name as the script spells it.
    pub name: Arc<[u8]>,
    /// Version index, from 2 in script order.
    pub index: u16,
    /// Version indexes of the nodes it inherits from.
    pub parents: Vec<u16>,
    /// Path of the script.
    pub origin: Arc<str>,
    /// Line of the node's name, from 1.
    pub line: u32,
}

/// A pattern without wildcard, as written.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ExactName {
    /// The name; demangled if `cxx`.
    pub name: Arc<[u8]>,
    /// The pattern is in `extern "C++"`.
    pub cxx: bool,
    /// The version of its node, or `local`.
    pub assignment: Assignment,
    /// Path of the script.
    pub origin: Arc<str>,
    /// Line of the pattern, from 1.
    pub line: u32,
    /// Later patterns of the same name. They have no effect on a plain symbol, but may be those of
    /// a symbol with the version in its name: libraries with `foo@V1` and `foo@@V2` list `foo` in
    /// both nodes.
    pub repeats: Vec<ExactId>,
    /// The message if a symbol without a version of its own gets that of an earlier pattern.
    pub contradiction: Option<String>,
}

/// One or more scripts, ready to classify names. The default one matches no name.
#[derive(Debug, Clone)]
pub struct VersionScript {
    /// Named nodes in script order; node `i` has version index `i + 2`.
    pub nodes: Vec<VersionNode>,
    exact: Column<ExactId, ExactName>,
    c: PatternSet<Ranked>,
    cxx: PatternSet<Ranked>,
    parsed: Vec<ParsedNode>,
    default: Option<u16>,
}

/// A value with a rank that decides between a C and a C++ pattern: the lower rank wins.
#[derive(Debug, Clone, Copy)]
struct Ranked {
    rank: u32,
    found: Match,
}

impl Default for VersionScript {
    fn default() -> VersionScript {
        VersionScript {
            nodes: Vec::new(),
            exact: Column::new(),
            c: PatternSet::new(Order::FirstWins),
            cxx: PatternSet::new(Order::FirstWins),
            parsed: Vec::new(),
            default: None,
        }
    }
}

impl VersionScript {
    /// Parses the file `origin`.
    ///
    /// # Errors
    /// Syntax, with file and line; two nodes of one name; a parent that is not a node; an anonymous
    /// node together with others.
    pub fn parse(origin: &str, text: &[u8]) -> Result<VersionScript> {
        let mut lexer = Lexer::new(origin, text);
        let mut body = lexer;
        if is_version_command(&mut body)? {
            lexer = body;
            let script = VersionScript::parse_nodes(&mut lexer)?;
            lexer.expect(Mode::Pattern, "}")?;
            lexer.accept(Mode::Pattern, ";")?;
            let end = lexer.next(Mode::Pattern)?;
            return match end.kind {
                Kind::End => Ok(script),
                _ => Err(lexer.unexpected(&end, "end of file")),
            };
        }
        let script = VersionScript::parse_nodes(&mut lexer)?;
        let end = lexer.next(Mode::Pattern)?;
        match end.kind {
            // An empty file is more likely truncated than intended.
            Kind::End if script.is_empty() => Err(lexer.unexpected(&end, "version node")),
            Kind::End => Ok(script),
            _ => Err(lexer.unexpected(&end, "version node")),
        }
    }

    /// Parses nodes up to a `}` that closes none of them, or to the end; for the `VERSION` command
    /// of linker scripts.
    ///
    /// # Errors
    /// As [`VersionScript::parse`].
    pub fn parse_nodes(lexer: &mut Lexer<'_>) -> Result<VersionScript> {
        let origin: Arc<str> = lexer.origin().into();
        let mut parsed = Vec::new();
        loop {
            let token = lexer.peek(Mode::Pattern)?;
            if token.kind == Kind::End || token.is_mark("}") {
                break;
            }
            parsed.push(parse_node(lexer, &origin)?);
        }
        if let Some(node) = parsed.iter().find(|node| node.name.is_none() && parsed.len() > 1) {
            let text = "anonymous version node cannot be combined with other version nodes";
            return Err(error_at(&node.origin, node.line, text));
        }
        build(parsed)
    }

    /// The scripts as one, in their order.
    ///
    /// # Errors
    /// Two nodes have the same name.
    pub fn join(scripts: Vec<VersionScript>) -> Result<VersionScript> {
        build(scripts.into_iter().flat_map(|script| script.parsed).collect())
    }

    /// The assignment for `name`, which has no `@version`. `demangle` is called only if there are
    /// `extern "C++"` patterns.
    pub fn classify(
        &self,
        name: &[u8],
        demangle: impl Fn(&[u8]) -> Option<String>,
    ) -> Option<Assignment> {
        self.find(name, demangle).map(|found| found.assignment)
    }

    /// As [`VersionScript::classify`], with the exact pattern that matched.
    pub fn find(&self, name: &[u8], demangle: impl Fn(&[u8]) -> Option<String>) -> Option<Match> {
        if self.cxx.is_empty() {
            return self.c.get(name).map(|ranked| ranked.found);
        }
        let demangled = demangle(name);
        let cxx_name = demangled.as_ref().map_or(name, |demangled| demangled.as_bytes());
        stronger(self.c.get_exact(name), self.cxx.get_exact(cxx_name))
            .or_else(|| stronger(self.c.get_wildcard(name), self.cxx.get_wildcard(cxx_name)))
            .map(|ranked| ranked.found)
    }

    /// The patterns without a wildcard in script order, to check that something defines their
    /// names.
    pub fn exact_names(&self) -> &IdSlice<ExactId, ExactName> {
        &self.exact
    }

    /// The text for an assignment in messages: `local`, `global` or the version's name.
    pub fn describe(&self, assignment: Assignment) -> String {
        describe(&self.nodes, assignment)
    }

    /// Adds a version for names that no pattern assigns (`--default-symver`).
    pub fn set_default(&mut self, name: &[u8]) {
        let found = self.nodes.iter().find(|node| *node.name == *name).map(|node| node.index);
        self.default = found.or_else(|| self.add_version(name));
    }

    /// Adds a version without patterns; `None` if there are too many.
    pub fn add_version(&mut self, name: &[u8]) -> Option<u16> {
        let index = self.nodes.len() + usize::from(FIRST_NAMED);
        if index >= MAX_VERSION {
            return None;
        }
        let (name, index, origin) = (Arc::from(name), index as u16, Arc::from(""));
        self.nodes.push(VersionNode { name, index, parents: Vec::new(), origin, line: 0 });
        Some(index)
    }

    /// Of the versions behind the first `scripted`, keeps those that are used; returns the new
    /// index of each.
    pub fn keep_added(&mut self, scripted: usize, is_used: &[bool]) -> Vec<Option<u16>> {
        let mut next = FIRST_NAMED;
        let is_kept = |at: usize| at < scripted || is_used[at];
        let kept: Vec<Option<u16>> = (0..self.nodes.len())
            .map(|at| {
                let index = next;
                next += u16::from(is_kept(at));
                is_kept(at).then_some(index)
            })
            .collect();
        let mut at = 0..;
        self.nodes.retain(|_| at.next().is_some_and(is_kept));
        for (node, index) in self.nodes.iter_mut().zip(FIRST_NAMED..) {
            node.index = index;
        }
        kept
    }

    /// The `local:` patterns of nodes, for symbols that have the node's version in their own name.
    pub fn local_patterns(&self) -> LocalPatterns<'_> {
        LocalPatterns::new(self.parsed.iter().filter(|node| node.name.is_some()))
    }

    /// The version of [`VersionScript::set_default`].
    pub fn default_version(&self) -> Option<u16> {
        self.default
    }

    /// Whether node number `node` has no pattern.
    pub fn names_nothing(&self, node: usize) -> bool {
        self.parsed.get(node).is_some_and(|parsed| parsed.patterns.is_empty())
    }

    /// Whether no pattern and no node was given.
    pub fn is_empty(&self) -> bool {
        self.parsed.is_empty()
    }
}

fn stronger(a: Option<Ranked>, b: Option<Ranked>) -> Option<Ranked> {
    match (a, b) {
        (Some(a), Some(b)) => Some(if b.rank < a.rank { b } else { a }),
        (a, b) => a.or(b),
    }
}

fn describe(nodes: &[VersionNode], assignment: Assignment) -> String {
    match assignment {
        Assignment::Local => "local".to_owned(),
        Assignment::Global(index) => match index.checked_sub(FIRST_NAMED) {
            Some(node) => nodes.get(usize::from(node)).map_or_else(
                || index.to_string(),
                |node| String::from_utf8_lossy(&node.name).into_owned(),
            ),
            None => "global".to_owned(),
        },
    }
}

fn build(parsed: Vec<ParsedNode>) -> Result<VersionScript> {
    let nodes = number_nodes(&parsed)?;
    let mut script = VersionScript { nodes, ..VersionScript::default() };
    let mut indexes = Vec::with_capacity(parsed.len());
    let mut next = FIRST_NAMED;
    for node in &parsed {
        indexes.push(if node.name.is_some() { next } else { VERSION_GLOBAL });
        next += u16::from(node.name.is_some());
    }
    insert_exact_names(&mut script, &parsed, &indexes);
    insert_wildcards(&mut script, &parsed, &indexes);
    script.parsed = parsed;
    Ok(script)
}

/// Gives each named node its index and finds its parents.
fn number_nodes(parsed: &[ParsedNode]) -> Result<Vec<VersionNode>> {
    let named = || parsed.iter().filter_map(|node| node.name.as_ref().map(|name| (name, node)));
    let mut numbers: UnorderedMap<&[u8], u16> = UnorderedMap::with_capacity(parsed.len());
    for (number, (name, node)) in named().enumerate() {
        let index = number + usize::from(FIRST_NAMED);
        if index >= MAX_VERSION {
            return Err(error_at(&node.origin, node.line, "too many version nodes"));
        }
        if numbers.insert(name, index as u16).is_some() {
            return Err(about(node, node.line, "duplicate version node", name));
        }
    }
    let mut nodes = Vec::with_capacity(parsed.len());
    for (name, node) in named() {
        let index = numbers[&**name];
        let mut parents = Vec::new();
        for (parent, line) in &node.parents {
            match numbers.get(parent.as_slice()) {
                Some(&parent) if parent != index => parents.push(parent),
                _ => return Err(about(node, *line, "unable to find version dependency", parent)),
            }
        }
        let (origin, line) = (node.origin.clone(), node.line);
        nodes.push(VersionNode { name: name.clone(), index, parents, origin, line });
    }
    Ok(nodes)
}

fn about(node: &ParsedNode, line: u32, text: &str, name: &[u8]) -> Error {
    let name = String::from_utf8_lossy(name);
    error_at(&node.origin, line, format_args!("{text} '{name}'"))
}

fn insert_exact_names(script: &mut VersionScript, parsed: &[ParsedNode], indexes: &[u16]) {
    let exact = || parsed.iter().flat_map(|node| &node.patterns).filter(|pattern| pattern.exact);
    let cxx = exact().filter(|pattern| pattern.cxx).count();
    let c = exact().count() - cxx;
    script.c.reserve_exact(c);
    script.cxx.reserve_exact(cxx);
    script.exact.as_vec().reserve(c + cxx);
    for (node, &index) in parsed.iter().zip(indexes) {
        for local in [false, true] {
            let wanted = |p: &&SymbolPattern| p.exact && p.local == local;
            for pattern in node.patterns.iter().filter(wanted) {
                let assignment = assignment(pattern, index);
                let id = script.exact.end();
                let (rank, found) = (id.number(), Match { assignment, exact: Some(id) });
                let set = if pattern.cxx { &mut script.cxx } else { &mut script.c };
                let mut warning = None;
                match set.get_exact(&pattern.text) {
                    None => set.insert_exact(pattern.text.clone(), Ranked { rank, found }),
                    Some(earlier) => {
                        if earlier.found.assignment != assignment {
                            let text = contradiction(&script.nodes, node, pattern, earlier, found);
                            warning = Some(text);
                        }
                        script.exact[ExactId::new(earlier.rank)].repeats.push(id);
                    }
                }
                script.exact.push(ExactName {
                    name: pattern.text.clone(),
                    cxx: pattern.cxx,
                    assignment,
                    origin: node.origin.clone(),
                    line: pattern.line,
                    repeats: Vec::new(),
                    contradiction: warning,
                });
            }
        }
    }
}

fn contradiction(
    nodes: &[VersionNode],
    node: &ParsedNode,
    pattern: &SymbolPattern,
    earlier: Ranked,
    later: Match,
) -> String {
    let name = String::from_utf8_lossy(&pattern.text);
    let from = describe(nodes, earlier.found.assignment);
    let to = describe(nodes, later.assignment);
    let text = format_args!("attempt to reassign symbol '{name}' of version '{from}' to '{to}'");
    error_at(&node.origin, pattern.line, text).0
}

/// Inserts wildcards from the strongest to the weakest; the sets take the first match.
fn insert_wildcards(script: &mut VersionScript, parsed: &[ParsedNode], indexes: &[u16]) {
    let mut rank = 0;
    for (star, local) in [(false, false), (false, true), (true, false), (true, true)] {
        for (node, &index) in parsed.iter().zip(indexes).rev() {
            let wanted =
                |p: &&SymbolPattern| !p.exact && p.local == local && (*p.text == *b"*") == star;
            for pattern in node.patterns.iter().filter(wanted) {
                let found = Match { assignment: assignment(pattern, index), exact: None };
                let set = if pattern.cxx { &mut script.cxx } else { &mut script.c };
                set.insert_wildcard(Glob::new(&pattern.text), Ranked { rank, found });
                rank += 1;
            }
        }
    }
}

fn assignment(pattern: &SymbolPattern, index: u16) -> Assignment {
    if pattern.local { Assignment::Local } else { Assignment::Global(index) }
}

#[cfg(test)]
mod tests;
