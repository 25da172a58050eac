//! A layout as a list of items: output sections, and between them what moves the location counter
//! or names a place. That of statements, a script's or the default ones, is made by
//! [`arrange`](super::arrange), that of a list by [`section_order`](super::section_order);
//! [`walk`](super::walk) gives everything in it its address.

use super::output_sections::StatedId;
use crate::script::statements::{Assertion, OutputStatement, ProgramHeader, Region};
use skald_base::expr::Expr;
use std::ops::Range;
use std::sync::Arc;

/// A layout as the location counter goes through it.
#[derive(Debug, Default)]
pub struct Layout {
    /// In order.
    pub items: Vec<Item>,
    /// Output sections; items name them by position.
    pub headings: Vec<Heading>,
    /// `MEMORY`.
    pub regions: Vec<Region>,
    /// `PHDRS`.
    pub headers: Option<Vec<ProgramHeader>>,
    /// Something asks for the size of the headers, which means them to be in memory.
    pub uses_headers: bool,
    /// Names of the linker's sections that the script discards though code counts on them.
    pub undroppable: Vec<Vec<u8>>,
    /// How many assignments there are.
    pub assignments: usize,
    /// Segments follow from sections: items say where they begin, and with addresses sections get
    /// their places in the file.
    pub is_automatic: bool,
}

/// A step of the walk.
#[derive(Debug)]
pub enum Item {
    /// An assignment outside of output sections.
    Assign(Assigning),
    /// An assertion.
    Assert(Assertion),
    /// An output section, by position among the headings.
    Heading(usize),
    /// A segment of an automatic layout begins.
    Segment(SegmentStart),
}

/// How a segment begins. Addresses and file offsets in it differ by a multiple of its `modulus`.
#[derive(Debug, Clone)]
pub enum SegmentStart {
    /// With the headers, which take these addresses.
    Headers(Range<u64>),
    /// At an address that an option gives, whatever alignment sections ask for.
    At {
        /// The address.
        address: u64,
        /// See above.
        modulus: u64,
    },
    /// Right behind what is before it.
    Behind {
        /// Alignment of its first section.
        align: u64,
        /// See above.
        modulus: u64,
    },
    /// On a new page.
    Page {
        /// Its size.
        page: u64,
        /// In the file, too: otherwise at the same place in the page as in the file.
        is_apart: bool,
        /// Alignment of its first section.
        align: u64,
        /// See above.
        modulus: u64,
    },
}

/// An assignment.
#[derive(Debug, Clone)]
pub struct Assigning {
    /// Its number among all assignments to symbols; none if it is to the location counter.
    pub number: Option<usize>,
    /// The value.
    pub expr: Expr,
}

/// An output section of the script, or one of orphans.
#[derive(Debug)]
pub struct Heading {
    /// What is said of it, but for what is in it, which `body` has.
    pub statement: Arc<OutputStatement>,
    /// What is in it.
    pub body: Vec<BodyPart>,
    /// No input section is in it, nor any of the linker's: without bytes there is no such section.
    pub may_vanish: bool,
    /// An expression asks for its address or size.
    pub is_mentioned: bool,
    /// `AT>region`, its own or that of the sections before it in the same region.
    pub load_region: Option<Vec<u8>>,
    /// Position of its header, once it has one.
    pub head: Option<usize>,
}

/// What is in an output section.
#[derive(Debug)]
pub enum BodyPart {
    /// The part at this position.
    Part(usize),
    /// An assignment to a symbol.
    Assign(Assigning),
    /// An assignment to the location counter; the gap before it is the part at this position.
    Gap(usize, Expr),
    /// A number of so many bytes, in the part at this position.
    Number {
        /// Position of the part.
        part: usize,
        /// Where its bytes are.
        stated: StatedId,
        /// How many.
        width: u8,
        /// The value.
        expr: Expr,
    },
    /// An assertion.
    Assert(Assertion),
}

impl Layout {
    /// The headings in the order of the script, by position among them.
    pub fn order(&self) -> impl Iterator<Item = usize> {
        self.items.iter().filter_map(|item| match item {
            Item::Heading(at) => Some(*at),
            _ => None,
        })
    }
}

impl Heading {
    /// Positions of its parts; none without any.
    pub(super) fn parts(&self) -> Option<Range<usize>> {
        let mut positions = self.body.iter().filter_map(BodyPart::position);
        let first = positions.next()?;
        Some(first..positions.next_back().unwrap_or(first) + 1)
    }
}

impl BodyPart {
    /// The position of the part, if it has one.
    pub(super) fn position(&self) -> Option<usize> {
        match self {
            BodyPart::Part(at) | BodyPart::Gap(at, _) | BodyPart::Number { part: at, .. } => {
                Some(*at)
            }
            BodyPart::Assign(_) | BodyPart::Assert(_) => None,
        }
    }

    pub(super) fn position_mut(&mut self) -> Option<&mut usize> {
        match self {
            BodyPart::Part(at) | BodyPart::Gap(at, _) | BodyPart::Number { part: at, .. } => {
                Some(at)
            }
            BodyPart::Assign(_) | BodyPart::Assert(_) => None,
        }
    }
}
