//! Evaluates expressions, except those of scripts that lay the output out.
//!
//! A value is an address and, if it moves with an output section, that section. A symbol with such
//! a value belongs to the section and is relocated in a PIE. The rules for which results stay in a
//! section are lld's, where GNU ld differs (its manual, "The Section of an Expression"). At the top
//! level of a script and in `--defsym`, GNU ld treats numbers as absolute addresses, so that `a +
//! 4` is absolute and wrong once the image is relocated. GNU ld's unary operators work on the
//! offset within the section. Here:
//! - section value `+ - & | ALIGN` absolute: in the section;
//! - the difference of two values of one section, or of two sections: absolute;
//! - `MAX` and `MIN` of values of one section: in the section (as GNU ld);
//! - every other operation is done on addresses and is absolute;
//! - the sum of two section values is an error.
//!
//! Arithmetic is modulo 2^64. `/` and `%` are signed and shift counts are taken modulo 64, as GNU
//! ld on x86-64 (lld divides unsigned). `&&`, `||` and `?:` evaluate only the side they need.

use super::{BinaryOp, Constant, Expr, Node, NodeId, SectionQuery, UnaryOp};
use skald_core::diag::Result;

/// The value of an expression.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Value {
    /// Virtual address, or the number if absolute.
    pub address: u64,
    /// The output section that the value moves with, by the environment's number; `None` if
    /// absolute.
    pub section: Option<u32>,
}

/// An output section as expressions see it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct SectionAddress {
    /// The environment's number for the section, as in [`Value::section`].
    pub section: u32,
    /// Virtual address (VMA).
    pub address: u64,
    /// Load address (LMA).
    pub load_address: u64,
    /// Size in bytes.
    pub size: u64,
    /// Alignment in bytes.
    pub alignment: u64,
}

/// Gives the values that expressions refer to.
pub trait Environment {
    /// The value of a symbol; `None` if it is undefined.
    fn symbol(&self, name: &[u8]) -> Option<Value>;

    /// `DEFINED(name)`: whether the link defines the symbol.
    fn is_defined(&self, name: &[u8]) -> bool {
        self.symbol(name).is_some()
    }

    /// An output section; `None` if there is none of that name.
    fn section(&self, name: &[u8]) -> Option<SectionAddress>;

    /// The address that an option gave the segment (`-Ttext-segment` for `text-segment`).
    fn segment_start(&self, segment: &[u8]) -> Option<u64>;

    /// A page size, in bytes.
    fn constant(&self, constant: Constant) -> u64;

    /// Size of the ELF header and the program headers, in bytes.
    fn sizeof_headers(&self) -> u64;

    /// The location counter; `None` where there is none.
    fn dot(&self) -> Option<Value>;
}

impl Value {
    /// A value that does not move with the output.
    pub fn absolute(address: u64) -> Value {
        Value { address, section: None }
    }

    fn truth(condition: bool) -> Value {
        Value::absolute(u64::from(condition))
    }
}

impl Expr {
    /// The value in `environment`.
    ///
    /// # Errors
    /// With file and line: a symbol or section that does not exist, division by zero, an alignment
    /// that passes the end of the address space, the sum of two section addresses, `.` where there
    /// is none.
    pub fn eval(&self, environment: &dyn Environment) -> Result<Value> {
        self.eval_node(self.root, environment)
    }

    fn eval_node(&self, node: NodeId, environment: &dyn Environment) -> Result<Value> {
        let value = |node| self.eval_node(node, environment);
        match &self.nodes[node] {
            Node::Number(number) => Ok(Value::absolute(*number)),
            Node::Symbol(name) => environment.symbol(name).ok_or_else(|| {
                let name = String::from_utf8_lossy(name);
                self.error(format_args!("undefined symbol: {name}, referenced in an expression"))
            }),
            Node::Dot => environment
                .dot()
                .ok_or_else(|| self.error("the location counter '.' has no value here")),
            Node::Unary(operator, operand) => Ok(unary(*operator, value(*operand)?)),
            Node::Binary(BinaryOp::LogicalAnd, left, right) => {
                Ok(Value::truth(value(*left)?.address != 0 && value(*right)?.address != 0))
            }
            Node::Binary(BinaryOp::LogicalOr, left, right) => {
                Ok(Value::truth(value(*left)?.address != 0 || value(*right)?.address != 0))
            }
            Node::Binary(operator, left, right) => {
                let (left, right) = (value(*left)?, value(*right)?);
                binary(*operator, left, right).map_err(|text| self.error(text))
            }
            Node::Conditional(condition, yes, no) => {
                if value(*condition)?.address != 0 {
                    value(*yes)
                } else {
                    value(*no)
                }
            }
            Node::Defined(name) => Ok(Value::truth(environment.is_defined(name))),
            Node::Section(query, name) => self.query(*query, name, environment),
            Node::SegmentStart(segment, default) => match environment.segment_start(segment) {
                Some(address) => Ok(Value::absolute(address)),
                None => value(*default),
            },
            Node::Constant(constant) => Ok(Value::absolute(environment.constant(*constant))),
            Node::SizeofHeaders => Ok(Value::absolute(environment.sizeof_headers())),
            Node::Region(_, name) => {
                let name = String::from_utf8_lossy(name);
                Err(self.error(format_args!("memory region {name} is not known here")))
            }
            Node::Assert(operand, message) => match value(*operand)? {
                found if found.address == 0 => Err(self.error(String::from_utf8_lossy(message))),
                found => Ok(found),
            },
            Node::DataSegmentEnd(_) => Err(self.error(NO_DATA_SEGMENT)),
        }
    }

    fn query(
        &self,
        query: SectionQuery,
        name: &[u8],
        environment: &dyn Environment,
    ) -> Result<Value> {
        let section = environment.section(name).ok_or_else(|| {
            let name = String::from_utf8_lossy(name);
            self.error(format_args!("undefined section '{name}' referenced in expression"))
        })?;
        Ok(match query {
            SectionQuery::Address => {
                Value { address: section.address, section: Some(section.section) }
            }
            SectionQuery::LoadAddress => Value::absolute(section.load_address),
            SectionQuery::Size => Value::absolute(section.size),
            SectionQuery::Alignment => Value::absolute(section.alignment),
        })
    }
}

/// The message for functions that only a script's layout gives a value.
const NO_DATA_SEGMENT: &str = "the bounds of the data segment have no value here";

/// An environment with symbols that are plain numbers, as the function says, and nothing else.
struct Numbers<F>(F);

impl<F: Fn(&[u8]) -> Option<u64>> Environment for Numbers<F> {
    fn symbol(&self, name: &[u8]) -> Option<Value> {
        (self.0)(name).map(Value::absolute)
    }

    fn section(&self, _: &[u8]) -> Option<SectionAddress> {
        None
    }

    fn segment_start(&self, _: &[u8]) -> Option<u64> {
        None
    }

    fn constant(&self, _: Constant) -> u64 {
        0
    }

    fn sizeof_headers(&self) -> u64 {
        0
    }

    fn dot(&self) -> Option<Value> {
        None
    }
}

impl Expr {
    /// The value, if the expression consists of numbers alone.
    pub fn constant(&self) -> Option<u64> {
        let asks = |node: &Node| matches!(node, Node::Constant(_) | Node::SizeofHeaders);
        if self.nodes.iter().any(asks) { None } else { self.estimate(|_| None) }
    }

    /// The value, if it consists of numbers and of symbols for which `symbol` has one. Headers and
    /// pages count as nothing, so that the result may be less than the value in the output by as
    /// much as they take.
    pub fn estimate(&self, symbol: impl Fn(&[u8]) -> Option<u64>) -> Option<u64> {
        self.eval(&Numbers(symbol)).ok().map(|value| value.address)
    }
}

fn unary(operator: UnaryOp, operand: Value) -> Value {
    let address = operand.address;
    Value::absolute(match operator {
        UnaryOp::Minus => address.wrapping_neg(),
        UnaryOp::Complement => !address,
        UnaryOp::Not => u64::from(address == 0),
        UnaryOp::Absolute => address,
        // The least n with 2^n >= value; 0 for 0, as GNU ld and lld.
        UnaryOp::Log2Ceil => match address {
            0 => 0,
            address => u64::from(64 - (address - 1).leading_zeros()),
        },
    })
}

fn binary(operator: BinaryOp, left: Value, right: Value) -> std::result::Result<Value, String> {
    let address = compute(operator, left.address, right.address)?;
    let section = match (operator, left.section, right.section) {
        (BinaryOp::Add, Some(_), Some(_)) => {
            return Err("addition of two addresses: at least one side must be absolute".to_owned());
        }
        (BinaryOp::Add | BinaryOp::And | BinaryOp::Or, Some(section), None)
        | (BinaryOp::Add | BinaryOp::And | BinaryOp::Or, None, Some(section))
        | (BinaryOp::Subtract, Some(section), None)
        | (BinaryOp::Align | BinaryOp::AlignDot, Some(section), _) => Some(section),
        (BinaryOp::Max | BinaryOp::Min, left, right) if left == right => left,
        _ => None,
    };
    Ok(Value { address, section })
}

pub(super) fn compute(
    operator: BinaryOp,
    left: u64,
    right: u64,
) -> std::result::Result<u64, String> {
    let by_zero = || format!("{} by zero", if operator == BinaryOp::Divide { "/" } else { "%" });
    let (signed_left, signed_right) = (left as i64, right as i64);
    Ok(match operator {
        BinaryOp::Multiply => left.wrapping_mul(right),
        BinaryOp::Divide | BinaryOp::Remainder if right == 0 => return Err(by_zero()),
        BinaryOp::Divide => signed_left.wrapping_div(signed_right) as u64,
        BinaryOp::Remainder => signed_left.wrapping_rem(signed_right) as u64,
        BinaryOp::Add => left.wrapping_add(right),
        BinaryOp::Subtract => left.wrapping_sub(right),
        BinaryOp::ShiftLeft => left.wrapping_shl((right & 63) as u32),
        BinaryOp::ShiftRight => left.wrapping_shr((right & 63) as u32),
        BinaryOp::Less => u64::from(left < right),
        BinaryOp::LessEqual => u64::from(left <= right),
        BinaryOp::Greater => u64::from(left > right),
        BinaryOp::GreaterEqual => u64::from(left >= right),
        BinaryOp::Equal => u64::from(left == right),
        BinaryOp::NotEqual => u64::from(left != right),
        BinaryOp::And => left & right,
        BinaryOp::Xor => left ^ right,
        BinaryOp::Or => left | right,
        BinaryOp::LogicalAnd => u64::from(left != 0 && right != 0),
        BinaryOp::LogicalOr => u64::from(left != 0 || right != 0),
        BinaryOp::Max => left.max(right),
        BinaryOp::Min => left.min(right),
        BinaryOp::DataSegmentAlign | BinaryOp::RelroEnd => return Err(NO_DATA_SEGMENT.to_owned()),
        // Any alignment, a power of two or not, as GNU ld; 0 aligns nothing.
        BinaryOp::Align | BinaryOp::AlignDot if right <= 1 => left,
        BinaryOp::Align | BinaryOp::AlignDot => left
            .checked_next_multiple_of(right)
            .ok_or_else(|| format!("aligning {left:#x} to {right:#x} overflows"))?,
    })
}
