//! Expressions of linker scripts and `--defsym`: the syntax tree, and queries on it.
//!
//! Grammar: GNU ld manual, "Expressions in Linker Scripts". [`parse`] parses expressions;
//! [`in_script`] evaluates those of a script that lays the output out, and [`eval`] all others. The
//! nodes are in one array and refer to each other by index, so a tree is cloned and dropped without
//! recursion. Evaluation recurses; parsing limits the depth.

mod eval;
mod in_script;
mod parse;

pub use eval::{Environment, SectionAddress, Value};
pub use in_script::{Base, ScriptEnvironment, Typed};
pub use parse::is_section_type;

use skald_core::diag::Error;
use skald_core::id;
use skald_core::ids::Column;
use std::sync::Arc;

/// A parsed expression.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Expr {
    nodes: Column<NodeId, Node>,
    root: NodeId,
    origin: Arc<str>,
    line: u32,
}

id! {
    /// A node of an expression.
    NodeId
}

type Name = Box<[u8]>;

#[derive(Debug, Clone, PartialEq, Eq)]
enum Node {
    Number(u64),
    Symbol(Name),
    /// `.`, the location counter.
    Dot,
    Unary(UnaryOp, NodeId),
    Binary(BinaryOp, NodeId, NodeId),
    Conditional(NodeId, NodeId, NodeId),
    Defined(Name),
    Section(SectionQuery, Name),
    /// `SEGMENT_START(segment, default)`.
    SegmentStart(Name, NodeId),
    Constant(Constant),
    SizeofHeaders,
    /// `ORIGIN(region)` and `LENGTH(region)`.
    Region(RegionQuery, Name),
    /// `DATA_SEGMENT_END(e)`.
    DataSegmentEnd(NodeId),
    /// `ASSERT(e, message)`: the value of `e`, and an error if it is zero.
    Assert(NodeId, Name),
}

/// The symbols that a value is computed from.
enum Symbols<'a> {
    None,
    /// The value is computed from one symbol: any one of these names, depending on conditions.
    One(Vec<&'a [u8]>),
    Several,
}

impl Symbols<'_> {
    /// The symbols of a value that is computed from both.
    fn and(self, other: Self) -> Self {
        match (self, other) {
            (Symbols::None, one) | (one, Symbols::None) => one,
            _ => Symbols::Several,
        }
    }

    /// The symbols of a value that is either of the two.
    fn or(self, other: Self) -> Self {
        match (self, other) {
            (Symbols::One(mut these), Symbols::One(those)) => {
                these.extend(those);
                Symbols::One(these)
            }
            (one, other) => one.and(other),
        }
    }
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum UnaryOp {
    Minus,
    Complement,
    Not,
    /// `ABSOLUTE(e)`.
    Absolute,
    /// `LOG2CEIL(e)`.
    Log2Ceil,
}

/// A binary operator, or a function of two values.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum BinaryOp {
    /// `*`
    Multiply,
    /// `/`, signed
    Divide,
    /// `%`, signed
    Remainder,
    /// `+`
    Add,
    /// `-`
    Subtract,
    /// `<<`
    ShiftLeft,
    /// `>>`, unsigned
    ShiftRight,
    /// `<`, unsigned
    Less,
    /// `<=`, unsigned
    LessEqual,
    /// `>`, unsigned
    Greater,
    /// `>=`, unsigned
    GreaterEqual,
    /// `==`
    Equal,
    /// `!=`
    NotEqual,
    /// `&`
    And,
    /// `^`
    Xor,
    /// `|`
    Or,
    /// `&&`
    LogicalAnd,
    /// `||`
    LogicalOr,
    /// `MAX(a, b)`, unsigned
    Max,
    /// `MIN(a, b)`, unsigned
    Min,
    /// `ALIGN(value, alignment)`
    Align,
    /// `ALIGN(alignment)` and `NEXT(alignment)` of `.`, the left operand
    AlignDot,
    /// `DATA_SEGMENT_ALIGN(max page, common page)`.
    DataSegmentAlign,
    /// `DATA_SEGMENT_RELRO_END(offset, e)`.
    RelroEnd,
}

/// The functions that take the name of an output section.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum SectionQuery {
    Address,
    LoadAddress,
    Size,
    Alignment,
}

/// The functions that take the name of a region of `MEMORY`.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum RegionQuery {
    /// `ORIGIN(region)`: its first address.
    Origin,
    /// `LENGTH(region)`: its size in bytes.
    Length,
}

/// The names that `CONSTANT(...)` takes.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Constant {
    /// `MAXPAGESIZE`: `-z max-page-size`.
    MaxPageSize,
    /// `COMMONPAGESIZE`: `-z common-page-size`.
    CommonPageSize,
}

impl Expr {
    /// The expression with this number in place of the location counter.
    pub fn with_counter(mut self, counter: u64) -> Expr {
        for node in &mut self.nodes {
            if *node == Node::Dot {
                *node = Node::Number(counter);
            }
        }
        self
    }

    /// The symbols whose values the expression refers to, with repeats. `DEFINED(name)` is no
    /// reference: GNU ld extracts no archive member for it.
    pub fn symbols(&self) -> impl Iterator<Item = &[u8]> {
        self.nodes.iter().filter_map(|node| match node {
            Node::Symbol(name) => Some(&**name),
            _ => None,
        })
    }

    /// An expression that is this number.
    pub fn number(number: u64) -> Expr {
        let mut nodes = Column::new();
        let root = nodes.push(Node::Number(number));
        Expr { nodes, root, origin: "".into(), line: 0 }
    }

    /// The number, if the expression is a single number.
    pub fn as_number(&self) -> Option<u64> {
        match &self.nodes[self.root] {
            Node::Number(number) => Some(*number),
            _ => None,
        }
    }

    /// Whether the value can be computed before any section has an address or size, as in GNU ld:
    /// from the location counter, from symbols that are `known` so far, and if `has_sizes`, from
    /// `SIZEOF_HEADERS` and memory regions. If the condition of `?:` is known, only the chosen
    /// operand counts; `is_defined` answers `DEFINED` so far.
    pub fn is_found_early(
        &self,
        has_sizes: bool,
        known: &dyn Fn(&[u8]) -> bool,
        is_defined: &dyn Fn(&[u8]) -> bool,
    ) -> bool {
        self.is_node_found_early(self.root, &|node| match node {
            Node::Symbol(name) => Some(known(name)),
            Node::Defined(name) => Some(is_defined(name)),
            Node::Section(..) => Some(false),
            Node::SizeofHeaders | Node::Region(..) => Some(has_sizes),
            _ => None,
        })
    }

    fn is_node_found_early(&self, node: NodeId, leaf: &dyn Fn(&Node) -> Option<bool>) -> bool {
        let found = |node: NodeId| self.is_node_found_early(node, leaf);
        match &self.nodes[node] {
            Node::Conditional(condition, yes, no) => match &self.nodes[*condition] {
                Node::Number(number) => found(if *number != 0 { *yes } else { *no }),
                asks @ Node::Defined(_) => found(if leaf(asks) == Some(true) { *yes } else { *no }),
                _ => found(*condition) && found(*yes) && found(*no),
            },
            Node::Unary(_, inner)
            | Node::SegmentStart(_, inner)
            | Node::DataSegmentEnd(inner)
            | Node::Assert(inner, _) => found(*inner),
            Node::Binary(_, left, right) => found(*left) && found(*right),
            Node::Defined(_) => true,
            other => leaf(other).unwrap_or(true),
        }
    }

    /// The output sections whose address or size the expression asks for.
    pub fn sections(&self) -> impl Iterator<Item = &[u8]> {
        self.nodes.iter().filter_map(|node| match node {
            Node::Section(_, name) => Some(&**name),
            _ => None,
        })
    }

    /// Whether the expression contains `SIZEOF_HEADERS`.
    pub fn uses_headers(&self) -> bool {
        self.nodes.iter().any(|node| matches!(node, Node::SizeofHeaders))
    }

    /// The symbols that the expression refers to, including those in `DEFINED`.
    pub fn mentioned(&self) -> impl Iterator<Item = &[u8]> {
        self.nodes.iter().filter_map(|node| match node {
            Node::Symbol(name) | Node::Defined(name) => Some(&**name),
            _ => None,
        })
    }

    /// Whether the expression contains `DATA_SEGMENT_ALIGN`.
    pub fn begins_data_segment(&self) -> bool {
        self.nodes.iter().any(|node| matches!(node, Node::Binary(BinaryOp::DataSegmentAlign, ..)))
    }

    /// Whether the expression contains `DATA_SEGMENT_RELRO_END`.
    pub fn ends_relro(&self) -> bool {
        self.nodes.iter().any(|node| matches!(node, Node::Binary(BinaryOp::RelroEnd, ..)))
    }

    /// Whether the expression takes the value of this symbol.
    pub fn mentions(&self, symbol: &[u8]) -> bool {
        self.nodes.iter().any(|node| matches!(node, Node::Symbol(name) if **name == *symbol))
    }

    /// The symbol, if the value is computed from exactly one reference to a symbol. Of `?:` only
    /// the operand counts that the condition chooses. If the choice depends on values, both count:
    /// then several symbols are returned, and the value is computed from one of them. `is_defined`
    /// answers `DEFINED`.
    pub fn sources(&self, is_defined: &dyn Fn(&[u8]) -> bool) -> Vec<&[u8]> {
        match self.symbols_of_value(self.root, is_defined) {
            Symbols::One(names) => names,
            Symbols::None | Symbols::Several => Vec::new(),
        }
    }

    fn symbols_of_value(&self, node: NodeId, is_defined: &dyn Fn(&[u8]) -> bool) -> Symbols<'_> {
        let of = |node: NodeId| self.symbols_of_value(node, is_defined);
        match &self.nodes[node] {
            Node::Symbol(name) => Symbols::One(vec![name]),
            Node::Conditional(condition, yes, no) => {
                let holds = match &self.nodes[*condition] {
                    Node::Number(number) => Some(*number != 0),
                    Node::Defined(name) => Some(is_defined(name)),
                    _ => None,
                };
                match (holds, of(*yes), of(*no)) {
                    (Some(true), own, _) | (Some(false), _, own) => own,
                    (None, one, other) => one.or(other),
                }
            }
            Node::Unary(_, inner)
            | Node::SegmentStart(_, inner)
            | Node::DataSegmentEnd(inner)
            | Node::Assert(inner, _) => of(*inner),
            Node::Binary(_, left, right) => of(*left).and(of(*right)),
            _ => Symbols::None,
        }
    }

    /// The output sections whose addresses the expression asks for.
    pub fn addressed(&self) -> impl Iterator<Item = &[u8]> {
        self.nodes.iter().filter_map(|node| match node {
            Node::Section(SectionQuery::Address | SectionQuery::LoadAddress, name) => Some(&**name),
            _ => None,
        })
    }

    /// The symbol, if the expression is a single symbol: then the assigned name is an alias.
    pub fn as_symbol(&self) -> Option<&[u8]> {
        match &self.nodes[self.root] {
            Node::Symbol(name) => Some(name),
            _ => None,
        }
    }

    /// Whether the value does not move with the output; `is_absolute` tells this of symbols. The
    /// rules are those of [`Expr::eval`], as far as they do not depend on values that are not known
    /// yet.
    pub fn is_absolute(&self, is_absolute: impl Fn(&[u8]) -> bool) -> bool {
        !self.moves(self.root, &is_absolute)
    }

    fn moves(&self, node: NodeId, is_absolute: &impl Fn(&[u8]) -> bool) -> bool {
        let moves = |node: &NodeId| self.moves(*node, is_absolute);
        match &self.nodes[node] {
            Node::Symbol(name) => !is_absolute(name),
            Node::Dot
            | Node::Section(SectionQuery::Address | SectionQuery::LoadAddress, _)
            | Node::SegmentStart(..) => true,
            Node::Binary(BinaryOp::Add | BinaryOp::And | BinaryOp::Or, left, right) => {
                moves(left) || moves(right)
            }
            Node::Binary(BinaryOp::Subtract, left, right) => moves(left) && !moves(right),
            Node::Binary(BinaryOp::Align | BinaryOp::AlignDot, left, _) => moves(left),
            Node::Binary(BinaryOp::Max | BinaryOp::Min, left, right) => moves(left) && moves(right),
            Node::Conditional(condition, yes, no) => match self.nodes[*condition] {
                Node::Number(number) => moves(if number != 0 { yes } else { no }),
                _ => moves(yes) || moves(no),
            },
            Node::Binary(BinaryOp::DataSegmentAlign | BinaryOp::RelroEnd, ..)
            | Node::DataSegmentEnd(_) => true,
            Node::Unary(..) | Node::Binary(..) => false,
            Node::Assert(..)
            | Node::Region(..)
            | Node::Number(_)
            | Node::Defined(_)
            | Node::Section(SectionQuery::Size | SectionQuery::Alignment, _)
            | Node::Constant(_)
            | Node::SizeofHeaders => false,
        }
    }

    /// Renames the symbols that the expression refers to, where `other` gives a name.
    pub fn rename(&mut self, other: impl Fn(&[u8]) -> Option<Vec<u8>>) {
        for node in &mut self.nodes {
            if let Node::Symbol(name) | Node::Defined(name) = node
                && let Some(new) = other(name)
            {
                *name = new.into();
            }
        }
    }

    /// Whether assigning the expression to a defined `symbol` leaves its value as it is: `x = x`
    /// and `x = DEFINED(x) ? x : other`.
    pub fn keeps(&self, symbol: &[u8]) -> bool {
        let is_symbol =
            |node: NodeId| matches!(&self.nodes[node], Node::Symbol(name) if **name == *symbol);
        match self.nodes[self.root] {
            Node::Conditional(condition, yes, _) => {
                let asks = &self.nodes[condition];
                matches!(asks, Node::Defined(name) if **name == *symbol) && is_symbol(yes)
            }
            _ => is_symbol(self.root),
        }
    }

    /// Whether an empty output section is still left out if its location counter is assigned this
    /// expression: `0`, a symbol, `. + 0` and `ALIGN(. != 0 ? e : 1)`, if their value is 0
    /// (`exp_fold_tree_1` in GNU ld's `ldexp.c`). All other expressions keep the section.
    pub fn asks_for_nothing(&self) -> bool {
        let is_number =
            |node: NodeId, number| matches!(self.nodes[node], Node::Number(own) if own == number);
        let is_dot = |node: NodeId| matches!(self.nodes[node], Node::Dot);
        match self.nodes[self.root] {
            Node::Number(0) | Node::Symbol(_) => true,
            Node::Binary(BinaryOp::Add, left, right) => is_dot(left) && is_number(right, 0),
            Node::Binary(BinaryOp::AlignDot, _, align) => match self.nodes[align] {
                Node::Conditional(condition, _, no) => {
                    let is_asked = matches!(
                        self.nodes[condition],
                        Node::Binary(BinaryOp::NotEqual, dot, zero)
                            if is_dot(dot) && is_number(zero, 0)
                    );
                    is_asked && is_number(no, 1)
                }
                _ => false,
            },
            _ => false,
        }
    }

    /// Whether the expression contains `DEFINED(symbol)`.
    pub fn asks_whether_defined(&self, symbol: &[u8]) -> bool {
        self.nodes.iter().any(|node| matches!(node, Node::Defined(name) if **name == *symbol))
    }

    /// Whether the expression comes from a command-line option and not from a script.
    pub fn is_of_option(&self) -> bool {
        self.origin.starts_with("--")
    }

    /// Line where the expression starts, from 1.
    pub fn line(&self) -> u32 {
        self.line
    }

    /// The expression `name OP self`: the right side of the assignment `name OP= self`.
    pub fn compound(mut self, name: &[u8], operator: BinaryOp) -> Expr {
        let left = if name == b"." { Node::Dot } else { Node::Symbol(name.into()) };
        let left = self.nodes.push(left);
        self.nodes.push(Node::Binary(operator, left, self.root));
        self.root = left + 1;
        self
    }

    /// The error for a symbol whose expression refers to itself.
    pub fn depends_on_itself(&self, symbol: &[u8]) -> Error {
        let symbol = String::from_utf8_lossy(symbol);
        self.error(format_args!("the value of symbol {symbol} depends on itself"))
    }

    /// The error `ORIGIN:LINE: TEXT`.
    pub fn error(&self, text: impl std::fmt::Display) -> Error {
        super::lexer::error_at(&self.origin, self.line, text)
    }
}

#[cfg(test)]
mod tests;
