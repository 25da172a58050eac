//! Evaluates expressions of scripts that lay the output out, with GNU ld's types.
//!
//! A value is a plain number, an absolute address, or an offset in an output section. Operators
//! work on the values as they are, offsets included. Two values of different kinds are converted to
//! addresses first, and an operation on two offsets in the same section gives a number. A symbol
//! that is assigned a number gets the kind of the place of the assignment: an offset within an
//! output section, an address outside (GNU ld manual, "The Section of an Expression", and
//! `ldexp.c`).

use super::eval::compute;
use super::{
    BinaryOp, Constant, Expr, Node, NodeId, RegionQuery, SectionAddress, SectionQuery, UnaryOp,
};
use skald_core::diag::Result;
use std::cell::Cell;

/// What a value is relative to.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Base {
    /// A plain number, relative to nothing.
    Number,
    /// Address zero.
    Absolute,
    /// The start of an output section, by the environment's number.
    Section(u32),
}

/// A value with its kind.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Typed {
    /// The number, address, or offset in the section.
    pub value: u64,
    /// What the value is relative to.
    pub base: Base,
}

impl Typed {
    /// A plain number.
    pub fn number(value: u64) -> Typed {
        Typed { value, base: Base::Number }
    }

    /// An absolute address.
    pub fn absolute(value: u64) -> Typed {
        Typed { value, base: Base::Absolute }
    }
}

/// Gives the values that expressions of scripts refer to.
pub trait ScriptEnvironment {
    /// The value of a symbol; `None` if it is undefined, or not known yet.
    fn symbol(&self, name: &[u8]) -> Option<Typed>;
    /// `DEFINED(name)`: whether the link defines the symbol.
    fn is_defined(&self, name: &[u8]) -> bool;
    /// An output section; `None` if there is none of that name.
    fn section(&self, name: &[u8]) -> Option<SectionAddress>;
    /// Address of the output section with this number.
    fn section_address(&self, section: u32) -> u64;
    /// The address that an option gave the segment (`-Ttext-segment` for `text-segment`).
    fn segment_start(&self, segment: &[u8]) -> Option<u64>;
    /// A page size, in bytes.
    fn constant(&self, constant: Constant) -> u64;
    /// Size of the ELF header and the program headers, in bytes.
    fn sizeof_headers(&self) -> u64;
    /// The location counter, as an address.
    fn dot(&self) -> u64;
    /// Where the expression is: outside of output sections, or in one.
    fn here(&self) -> Base;
    /// Whether numbers are plain numbers outside of output sections too
    /// (`LD_FEATURE("SANE_EXPR")`).
    fn is_sane(&self) -> bool;
    /// Origin and length of a memory region; `None` if there is none of that name.
    fn region(&self, name: &[u8]) -> Option<(u64, u64)>;
    /// The address that `DATA_SEGMENT_ALIGN` of these page sizes gives.
    fn data_segment_align(&self, max_page: u64, common_page: u64) -> u64;
    /// Notes that an `ASSERT` does not hold, with its message.
    fn failed(&self, text: String);
    /// The address that `DATA_SEGMENT_RELRO_END` of an offset and an address gives.
    fn relro_end(&self, offset: u64, address: u64) -> u64;
}

struct Evaluation<'a> {
    expr: &'a Expr,
    environment: &'a dyn ScriptEnvironment,
    /// The value is computed from the location counter outside of output sections.
    is_of_dot: Cell<bool>,
}

impl Expr {
    /// The value in `environment`.
    ///
    /// # Errors
    /// With file and line: a symbol, section or region that does not exist, division by zero, an
    /// alignment that passes the end of the address space.
    pub fn eval_in_script(&self, environment: &dyn ScriptEnvironment) -> Result<Typed> {
        Evaluation::new(self, environment).node(self.root)
    }

    /// Like [`Expr::eval_in_script`]; also returns whether the value is an absolute address that
    /// moves with the output, because it is computed from the location counter.
    ///
    /// # Errors
    /// As [`Expr::eval_in_script`].
    pub fn eval_of_dot(&self, environment: &dyn ScriptEnvironment) -> Result<(Typed, bool)> {
        let evaluation = Evaluation::new(self, environment);
        let value = evaluation.node(self.root)?;
        Ok((value, evaluation.is_of_dot.get()))
    }

    /// The value of the expression as an address.
    ///
    /// # Errors
    /// As [`Expr::eval_in_script`].
    pub fn address_in_script(&self, environment: &dyn ScriptEnvironment) -> Result<u64> {
        let evaluation = Evaluation::new(self, environment);
        Ok(evaluation.address(evaluation.node(self.root)?))
    }
}

impl<'a> Evaluation<'a> {
    fn new(expr: &'a Expr, environment: &'a dyn ScriptEnvironment) -> Evaluation<'a> {
        Evaluation { expr, environment, is_of_dot: Cell::new(false) }
    }

    fn node(&self, node: NodeId) -> Result<Typed> {
        let environment = self.environment;
        match &self.expr.nodes[node] {
            Node::Number(number) => Ok(self.typed(*number)),
            Node::Symbol(name) => match environment.symbol(name) {
                Some(Typed { value, base: Base::Absolute }) => Ok(self.typed(value)),
                Some(value) => Ok(value),
                None => {
                    let name = String::from_utf8_lossy(name);
                    Err(self.expr.error(format_args!(
                        "undefined symbol: {name}, referenced in an expression"
                    )))
                }
            },
            Node::Dot => Ok(self.relative(environment.dot())),
            Node::Unary(operator, operand) => Ok(self.unary(*operator, self.node(*operand)?)),
            Node::Binary(operator, left, right) => {
                self.binary(*operator, self.node(*left)?, self.node(*right)?)
            }
            Node::Conditional(condition, yes, no) => {
                self.node(if self.node(*condition)?.value != 0 { *yes } else { *no })
            }
            Node::Defined(name) => Ok(Typed::number(u64::from(environment.is_defined(name)))),
            Node::Section(query, name) => self.section(*query, name),
            Node::SegmentStart(segment, default) => match environment.segment_start(segment) {
                Some(address) => Ok(self.relative(address)),
                None => self.node(*default).map(|value| self.relative(self.address(value))),
            },
            Node::Constant(constant) => Ok(Typed::number(environment.constant(*constant))),
            Node::SizeofHeaders => Ok(Typed::number(environment.sizeof_headers())),
            Node::Region(query, name) => {
                let (origin, length) = environment.region(name).ok_or_else(|| {
                    let name = String::from_utf8_lossy(name);
                    self.expr.error(format_args!("memory region {name} is not declared"))
                })?;
                Ok(match query {
                    RegionQuery::Origin => self.relative(origin),
                    RegionQuery::Length => Typed::number(length),
                })
            }
            Node::DataSegmentEnd(operand) => self.node(*operand),
            Node::Assert(operand, message) => {
                let value = self.node(*operand)?;
                if value.value == 0 {
                    let message = String::from_utf8_lossy(message);
                    environment.failed(self.expr.error(message).0);
                }
                Ok(value)
            }
        }
    }

    /// The value of a number at this place: an absolute address outside of output sections, unless
    /// `is_sane`; a plain number otherwise.
    fn typed(&self, value: u64) -> Typed {
        match self.environment.here() {
            Base::Section(_) => Typed::number(value),
            _ if self.environment.is_sane() => Typed::number(value),
            _ => Typed::absolute(value),
        }
    }

    fn address(&self, value: Typed) -> u64 {
        match value.base {
            Base::Section(section) => {
                value.value.wrapping_add(self.environment.section_address(section))
            }
            _ => value.value,
        }
    }

    /// An absolute address that moves with the output, like the location counter.
    fn near_dot(&self, address: u64) -> Typed {
        self.is_of_dot.set(true);
        Typed::absolute(address)
    }

    /// The value of an address at this place: an offset if the place is in an output section.
    fn relative(&self, address: u64) -> Typed {
        match self.environment.here() {
            base @ Base::Section(section) => {
                let start = self.environment.section_address(section);
                Typed { value: address.wrapping_sub(start), base }
            }
            _ => self.near_dot(address),
        }
    }

    fn section(&self, query: SectionQuery, name: &[u8]) -> Result<Typed> {
        let found = self.environment.section(name);
        if found.is_none() && query == SectionQuery::Size {
            return Ok(Typed::number(0));
        }
        let section = found.ok_or_else(|| {
            let name = String::from_utf8_lossy(name);
            self.expr.error(format_args!("undefined section '{name}' referenced in expression"))
        })?;
        Ok(match query {
            SectionQuery::Address => Typed { value: 0, base: Base::Section(section.section) },
            SectionQuery::LoadAddress => Typed::absolute(section.load_address),
            SectionQuery::Size => Typed::number(section.size),
            SectionQuery::Alignment => Typed::number(section.alignment),
        })
    }

    fn unary(&self, operator: UnaryOp, operand: Typed) -> Typed {
        let value = operand.value;
        match operator {
            UnaryOp::Minus => Typed { value: value.wrapping_neg(), ..operand },
            UnaryOp::Complement => Typed { value: !value, ..operand },
            UnaryOp::Not => Typed { value: u64::from(value == 0), ..operand },
            UnaryOp::Absolute => {
                self.is_of_dot.set(false);
                Typed::absolute(self.address(operand))
            }
            UnaryOp::Log2Ceil => Typed::number(match value {
                0 => 0,
                value => u64::from(64 - (value - 1).leading_zeros()),
            }),
        }
    }

    fn binary(&self, operator: BinaryOp, left: Typed, right: Typed) -> Result<Typed> {
        let failed = |text| self.expr.error(text);
        let (mut left, mut right) = (left, right);
        let aligns = matches!(operator, BinaryOp::Align | BinaryOp::AlignDot);
        if aligns && left.base == Base::Absolute {
            // `ALIGN(n)` uses a section offset `n` as a number, as GNU ld does.
            let alignment = match operator {
                BinaryOp::AlignDot => right.value,
                _ => self.address(right),
            };
            let value = compute(operator, left.value, alignment).map_err(failed)?;
            return Ok(Typed::absolute(value));
        }
        if operator == BinaryOp::AlignDot && self.is_dot_of_section(left) {
            // The address is aligned; `ALIGN(., n)` aligns the offset in the section.
            let address = self.address(left);
            let address = compute(operator, address, right.value).map_err(failed)?;
            return Ok(self.relative(address));
        }
        match operator {
            BinaryOp::DataSegmentAlign => {
                let (max, common) = (self.address(left), self.address(right));
                return Ok(Typed::absolute(self.environment.data_segment_align(max, common)));
            }
            BinaryOp::RelroEnd => {
                let (offset, address) = (self.address(left), self.address(right));
                return Ok(Typed::absolute(self.environment.relro_end(offset, address)));
            }
            _ => {}
        }
        if left.base != right.base {
            if right.base == Base::Number {
                right.base = left.base;
                left.base = Base::Number;
            } else if left.base != Base::Number {
                self.is_of_dot.set(false);
                left = Typed::absolute(self.address(left));
                right = Typed::absolute(self.address(right));
            }
        }
        let is_plain = left.base == right.base;
        let value = compute(operator, left.value, right.value).map_err(failed)?;
        Ok(match operator {
            BinaryOp::Less
            | BinaryOp::LessEqual
            | BinaryOp::Greater
            | BinaryOp::GreaterEqual
            | BinaryOp::Equal
            | BinaryOp::NotEqual
            | BinaryOp::LogicalAnd
            | BinaryOp::LogicalOr => Typed::number(value),
            BinaryOp::Max | BinaryOp::Min => Typed { value, base: right.base },
            _ if is_plain => self.typed(value),
            _ => Typed { value, base: right.base },
        })
    }

    fn is_dot_of_section(&self, value: Typed) -> bool {
        matches!(value.base, Base::Section(_)) && value.base == self.environment.here()
    }
}
