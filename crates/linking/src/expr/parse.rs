//! Parses an expression: operator precedence is that of C, with two levels per bitwise operator.
//!
//! # Numbers
//! As in GNU ld (`ldlex.l`): decimal, octal after a leading `0`, hexadecimal after `0x` or `$`,
//! each with an optional suffix `K` (1024) or `M` (1024 squared). Alternatively, digits with a
//! suffix for the base: `h` or `x` for 16, `o` for 8, `b` for 2, `d` for 10. lld knows `0x`, `h`,
//! `K` and `M` and reads `010` as ten. There are two differences from GNU ld. A number starts with
//! a digit, while GNU ld reads the name `bad` as the number `ba` with suffix `d`, if there is no
//! symbol of that name. A number that does not fit 64 bits or has a wrong digit is an error, while
//! GNU ld clamps it or drops digits.

use super::{BinaryOp, Constant, Expr, Name, Node, NodeId, RegionQuery, SectionQuery, UnaryOp};
use crate::lexer::{Kind, Lexer, Mode, Token};
use skald_core::diag::Result;
use skald_core::ids::Column;

/// Greatest nesting of parentheses, operators and calls, so that the parser and the evaluator do
/// not overflow the stack of a thread. Real scripts stay below 20.
const MAX_DEPTH: u32 = 500;

/// A node, and the height of the tree below it.
type Tree = (NodeId, u32);

struct Parser<'l, 'a> {
    lexer: &'l mut Lexer<'a>,
    nodes: Column<NodeId, Node>,
    nesting: u32,
}

impl Expr {
    /// Parses the expression at the lexer's position, up to the first token that cannot belong to
    /// it, such as `;`, `,` or `)`.
    ///
    /// # Errors
    /// Syntax, with file and line.
    pub fn parse(lexer: &mut Lexer<'_>) -> Result<Expr> {
        let origin = lexer.origin().into();
        let line = lexer.peek(Mode::Expression)?.line;
        let mut parser = Parser { lexer, nodes: Column::new(), nesting: 0 };
        let (root, _) = parser.conditional()?;
        Ok(Expr { nodes: parser.nodes, root, origin, line })
    }

    /// Parses the whole of `text`, as `--defsym` takes it; `origin` is the name for messages.
    ///
    /// # Errors
    /// As [`Expr::parse`], and anything after the expression.
    pub fn parse_text(origin: &str, text: &[u8]) -> Result<Expr> {
        let mut lexer = Lexer::new(origin, text);
        let expr = Expr::parse(&mut lexer)?;
        let end = lexer.next(Mode::Expression)?;
        match end.kind {
            Kind::End => Ok(expr),
            _ => Err(lexer.unexpected(&end, "end of expression")),
        }
    }
}

/// The operator of a token, and its precedence; higher binds tighter.
fn binary_operator(token: &Token<'_>) -> Option<(BinaryOp, u32)> {
    if token.kind != Kind::Mark {
        return None;
    }
    Some(match token.text {
        b"||" => (BinaryOp::LogicalOr, 1),
        b"&&" => (BinaryOp::LogicalAnd, 2),
        b"|" => (BinaryOp::Or, 3),
        b"^" => (BinaryOp::Xor, 4),
        b"&" => (BinaryOp::And, 5),
        b"==" => (BinaryOp::Equal, 6),
        b"!=" => (BinaryOp::NotEqual, 6),
        b"<" => (BinaryOp::Less, 7),
        b"<=" => (BinaryOp::LessEqual, 7),
        b">" => (BinaryOp::Greater, 7),
        b">=" => (BinaryOp::GreaterEqual, 7),
        b"<<" => (BinaryOp::ShiftLeft, 8),
        b">>" => (BinaryOp::ShiftRight, 8),
        b"+" => (BinaryOp::Add, 9),
        b"-" => (BinaryOp::Subtract, 9),
        b"*" => (BinaryOp::Multiply, 10),
        b"/" => (BinaryOp::Divide, 10),
        b"%" => (BinaryOp::Remainder, 10),
        _ => return None,
    })
}

impl Parser<'_, '_> {
    fn conditional(&mut self) -> Result<Tree> {
        self.enter()?;
        let (mut root, mut height) = self.binary(1)?;
        if self.lexer.accept(Mode::Expression, "?")? {
            let (yes, yes_height) = self.conditional()?;
            self.lexer.expect(Mode::Expression, ":")?;
            let (no, no_height) = self.conditional()?;
            let node = Node::Conditional(root, yes, no);
            (root, height) = self.push(node, height.max(yes_height).max(no_height))?;
        }
        self.nesting -= 1;
        Ok((root, height))
    }

    /// Parses operators of precedence `weakest` or higher, left-associative.
    fn binary(&mut self, weakest: u32) -> Result<Tree> {
        self.enter()?;
        let (mut left, mut height) = self.unary()?;
        while let Some((operator, binding)) =
            binary_operator(&self.lexer.peek(Mode::Expression)?).filter(|found| found.1 >= weakest)
        {
            self.lexer.next(Mode::Expression)?;
            let (right, right_height) = self.binary(binding + 1)?;
            let node = Node::Binary(operator, left, right);
            (left, height) = self.push(node, height.max(right_height))?;
        }
        self.nesting -= 1;
        Ok((left, height))
    }

    fn unary(&mut self) -> Result<Tree> {
        let mark = self.lexer.peek(Mode::Expression)?;
        let operator = match (mark.kind, mark.text) {
            (Kind::Mark, b"-") => Some(UnaryOp::Minus),
            (Kind::Mark, b"~") => Some(UnaryOp::Complement),
            (Kind::Mark, b"!") => Some(UnaryOp::Not),
            (Kind::Mark, b"+") => None,
            _ => return self.primary(),
        };
        self.lexer.next(Mode::Expression)?;
        self.enter()?;
        let (operand, height) = self.unary()?;
        self.nesting -= 1;
        match operator {
            Some(operator) => self.push(Node::Unary(operator, operand), height),
            None => Ok((operand, height)),
        }
    }

    fn primary(&mut self) -> Result<Tree> {
        let token = self.lexer.next(Mode::Expression)?;
        match token.kind {
            Kind::Mark if token.text == b"(" => {
                let tree = self.conditional()?;
                self.lexer.expect(Mode::Expression, ")")?;
                Ok(tree)
            }
            Kind::Quoted => self.leaf(Node::Symbol(token.text.into())),
            Kind::Word if token.text == b"." => self.leaf(Node::Dot),
            Kind::Word if token.text == b"SIZEOF_HEADERS" || token.text == b"sizeof_headers" => {
                self.leaf(Node::SizeofHeaders)
            }
            Kind::Word if is_number(token.text) => match parse_number(token.text) {
                Some(number) => self.leaf(Node::Number(number)),
                None => {
                    let text = format_args!("malformed number {}", token.describe());
                    Err(self.lexer.error_at(token.line, text))
                }
            },
            Kind::Word if self.is_type_next()? => self.leaf(Node::Symbol(token.text.into())),
            Kind::Word if self.lexer.accept(Mode::Expression, "(")? => {
                let tree = self.call(&token)?;
                self.lexer.expect(Mode::Expression, ")")?;
                Ok(tree)
            }
            Kind::Word => self.leaf(Node::Symbol(token.text.into())),
            Kind::Mark | Kind::End => Err(self.lexer.unexpected(&token, "expression")),
        }
    }

    /// Whether the following parenthesis holds the type of an output section, not an argument.
    fn is_type_next(&self) -> Result<bool> {
        let mut ahead = *self.lexer;
        let opens = ahead.accept(Mode::Expression, "(")?;
        Ok(opens && is_section_type(ahead.next(Mode::Expression)?.text))
    }

    /// Parses the arguments of the function `name`, between parentheses.
    fn call(&mut self, name: &Token<'_>) -> Result<Tree> {
        match name.text {
            b"ADDR" => self.section(SectionQuery::Address),
            b"LOADADDR" => self.section(SectionQuery::LoadAddress),
            b"SIZEOF" => self.section(SectionQuery::Size),
            b"ALIGNOF" => self.section(SectionQuery::Alignment),
            b"MAX" => self.pair(BinaryOp::Max),
            b"MIN" => self.pair(BinaryOp::Min),
            b"ABSOLUTE" => self.single(UnaryOp::Absolute),
            b"LOG2CEIL" => self.single(UnaryOp::Log2Ceil),
            b"ALIGN" | b"BLOCK" => self.align(),
            b"NEXT" => {
                let alignment = self.conditional()?;
                let (aligned, height) = self.align_dot(alignment)?;
                self.push(Node::Unary(UnaryOp::Absolute, aligned), height)
            }
            b"DEFINED" => {
                let symbol = self.name(Mode::File, "symbol name")?;
                self.leaf(Node::Defined(symbol))
            }
            b"CONSTANT" => self.constant(),
            b"SEGMENT_START" => {
                let segment = self.name(Mode::File, "segment name")?;
                self.lexer.expect(Mode::Expression, ",")?;
                let (default, height) = self.conditional()?;
                self.push(Node::SegmentStart(segment, default), height)
            }
            b"ASSERT" => {
                let (operand, height) = self.conditional()?;
                self.lexer.expect(Mode::Expression, ",")?;
                let message = self.name(Mode::File, "message")?;
                self.push(Node::Assert(operand, message), height)
            }
            b"ORIGIN" => self.region(RegionQuery::Origin),
            b"LENGTH" => self.region(RegionQuery::Length),
            b"DATA_SEGMENT_ALIGN" => self.pair(BinaryOp::DataSegmentAlign),
            b"DATA_SEGMENT_RELRO_END" => self.pair(BinaryOp::RelroEnd),
            b"DATA_SEGMENT_END" => {
                let (operand, height) = self.conditional()?;
                self.push(Node::DataSegmentEnd(operand), height)
            }
            _ => {
                let text = format_args!("unknown function {}", name.describe());
                Err(self.lexer.error_at(name.line, text))
            }
        }
    }

    fn section(&mut self, query: SectionQuery) -> Result<Tree> {
        let name = self.name(Mode::File, "section name")?;
        self.leaf(Node::Section(query, name))
    }

    fn region(&mut self, query: RegionQuery) -> Result<Tree> {
        let name = self.name(Mode::File, "name of a memory region")?;
        self.leaf(Node::Region(query, name))
    }

    fn single(&mut self, operator: UnaryOp) -> Result<Tree> {
        let (operand, height) = self.conditional()?;
        self.push(Node::Unary(operator, operand), height)
    }

    fn pair(&mut self, operator: BinaryOp) -> Result<Tree> {
        let (left, left_height) = self.conditional()?;
        self.lexer.expect(Mode::Expression, ",")?;
        let (right, right_height) = self.conditional()?;
        self.push(Node::Binary(operator, left, right), left_height.max(right_height))
    }

    /// Parses `ALIGN(alignment)` or `ALIGN(value, alignment)`.
    fn align(&mut self) -> Result<Tree> {
        let first = self.conditional()?;
        if !self.lexer.accept(Mode::Expression, ",")? {
            return self.align_dot(first);
        }
        let (alignment, height) = self.conditional()?;
        self.push(Node::Binary(BinaryOp::Align, first.0, alignment), first.1.max(height))
    }

    fn align_dot(&mut self, (alignment, height): Tree) -> Result<Tree> {
        let (dot, _) = self.leaf(Node::Dot)?;
        self.push(Node::Binary(BinaryOp::AlignDot, dot, alignment), height)
    }

    fn constant(&mut self) -> Result<Tree> {
        let name = self.lexer.expect_name(Mode::Expression, "name of a constant")?;
        let constant = match name.text {
            b"MAXPAGESIZE" => Constant::MaxPageSize,
            b"COMMONPAGESIZE" => Constant::CommonPageSize,
            _ => {
                let text = format_args!("unknown constant {}", name.describe());
                return Err(self.lexer.error_at(name.line, text));
            }
        };
        self.leaf(Node::Constant(constant))
    }

    fn name(&mut self, mode: Mode, what: &str) -> Result<Name> {
        Ok(self.lexer.expect_name(mode, what)?.text.into())
    }

    fn leaf(&mut self, node: Node) -> Result<Tree> {
        self.push(node, 0)
    }

    /// Adds a node above subtrees of at most this `height`.
    fn push(&mut self, node: Node, height: u32) -> Result<Tree> {
        if height >= MAX_DEPTH {
            return Err(self.too_deep());
        }
        Ok((self.nodes.push(node), height + 1))
    }

    fn enter(&mut self) -> Result<()> {
        self.nesting += 1;
        if self.nesting > MAX_DEPTH { Err(self.too_deep()) } else { Ok(()) }
    }

    fn too_deep(&self) -> skald_core::diag::Error {
        let line = self.lexer.peek(Mode::Expression).map_or(1, |token| token.line);
        self.lexer.error_at(line, "expression is nested too deeply")
    }
}

/// Whether a word is one of the types in parentheses behind an output section's address.
pub fn is_section_type(word: &[u8]) -> bool {
    let types = ["NOLOAD", "DSECT", "COPY", "INFO", "OVERLAY", "READONLY", "TYPE"];
    types.iter().any(|known| known.as_bytes() == word)
}

/// Whether a word is a number: it begins with a digit, or is `$` and a hexadecimal number. Other
/// words that begin with `$` are symbols.
fn is_number(word: &[u8]) -> bool {
    let Some(rest) = word.strip_prefix(b"$") else {
        return word.first().is_some_and(u8::is_ascii_digit);
    };
    let digits = match rest {
        [digits @ .., b'K' | b'k' | b'M' | b'm'] => digits,
        digits => digits,
    };
    !digits.is_empty() && digits.iter().all(u8::is_ascii_hexdigit)
}

/// The value of a number; `None` for a wrong digit or more than 64 bits.
pub(super) fn parse_number(word: &[u8]) -> Option<u64> {
    let hexadecimal =
        word.strip_prefix(b"$").or_else(|| word.strip_prefix(b"0x")).or(word.strip_prefix(b"0X"));
    let (digits, scale) = match hexadecimal.unwrap_or(word) {
        [digits @ .., b'K' | b'k'] => (digits, 1 << 10),
        [digits @ .., b'M' | b'm'] => (digits, 1 << 20),
        digits => (digits, 1),
    };
    let (digits, radix) = match digits {
        digits if hexadecimal.is_some() => (digits, 16),
        [digits @ .., b'h' | b'H' | b'x' | b'X'] if scale == 1 => (digits, 16),
        [digits @ .., b'o' | b'O'] if scale == 1 => (digits, 8),
        [digits @ .., b'b' | b'B'] if scale == 1 => (digits, 2),
        [digits @ .., b'd' | b'D'] if scale == 1 => (digits, 10),
        [b'0', _, ..] => (digits, 8),
        digits => (digits, 10),
    };
    if digits.is_empty() {
        return None;
    }
    let mut value: u64 = 0;
    for &digit in digits {
        let digit = char::from(digit).to_digit(radix)?;
        value = value.checked_mul(u64::from(radix))?.checked_add(u64::from(digit))?;
    }
    value.checked_mul(scale)
}
