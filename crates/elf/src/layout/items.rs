//! A layout as a list of items: output sections, and between them assignments, assertions and the
//! beginnings of segments. [`arrange`](super::arrange) makes them of statements (a script's or the
//! default ones), [`section_order`](super::section_order) of the `--section-order` list;
//! [`walk`](super::walk) gives every item its address.

use super::nature::Nature;
use super::output_sections::{StatedId, Synthetic};
use crate::script::statements::{Assertion, OutputStatement, ProgramHeader, Region};
use skald_linking::expr::Expr;
use std::ops::Range;
use std::sync::Arc;

/// A layout as the location counter walks through it.
#[derive(Debug, Default)]
pub struct Layout {
    /// The items in the order in which the location counter passes them.
    pub items: Vec<Item>,
    /// Output sections; [`Item::Heading`] refers to them by position.
    pub headings: Vec<Heading>,
    /// The memory regions of `MEMORY`.
    pub regions: Vec<Region>,
    /// The program headers of `PHDRS`; `None` without that command.
    pub headers: Option<Vec<ProgramHeader>>,
    /// The script uses SIZEOF_HEADERS, so it expects the headers in memory.
    pub uses_headers: bool,
    /// Statements behind `DATA_SEGMENT_ALIGN`, and before `DATA_SEGMENT_RELRO_END`, take inputs:
    /// there is memory that can be read-only after relocation.
    pub has_relro: bool,
    /// Names of synthetic sections that the script discards although code needs them.
    pub undroppable: Vec<Vec<u8>>,
    /// Synthetic sections in output sections that have no bytes in the file.
    pub unfilled: Vec<Unfilled>,
    /// `LD_FEATURE("SANE_EXPR")`: outside of output sections, too, numbers are plain numbers and
    /// not absolute addresses.
    pub is_sane: bool,
    /// How many assignments to symbols there are.
    pub assignments: usize,
    /// The layout is the default one: segments follow from sections, and the start of a segment is
    /// an item, and sections get file offsets together with addresses.
    pub is_automatic: bool,
}

/// A synthetic section whose bytes are needed, although a script puts it where none are written.
#[derive(Debug)]
pub struct Unfilled {
    /// Which table it is.
    pub table: Synthetic,
    /// Its own name, not that of the output section.
    pub name: Vec<u8>,
}

/// A step of the walk.
#[derive(Debug)]
pub enum Item {
    /// An assignment outside of output sections, to a symbol or the location counter.
    Assign(Assigning),
    /// An `ASSERT` outside of output sections.
    Assert(Assertion),
    /// An output section, by position among the headings.
    Heading(usize),
    /// An output section that is not made (`/DISCARD/`, or an unsatisfied constraint): orphans are
    /// not placed beyond it.
    NotMade,
    /// A segment of an automatic layout begins.
    Segment(SegmentStart),
}

/// How a segment begins. Addresses and file offsets in the segment are congruent modulo `modulus`.
#[derive(Debug, Clone)]
pub enum SegmentStart {
    /// With the file header and program headers at these addresses.
    Headers(Range<u64>),
    /// At an address that an option gives, whatever the alignment of its sections.
    At {
        /// The address of the segment.
        address: u64,
        /// Addresses and file offsets are congruent modulo this.
        modulus: u64,
    },
    /// Right behind the section before it, without a new page.
    Behind {
        /// Alignment of its first section, in bytes.
        align: u64,
        /// Addresses and file offsets are congruent modulo this.
        modulus: u64,
    },
    /// On a new page of memory.
    Page {
        /// Size of the page, in bytes.
        page: u64,
        /// The segment also starts a new page in the file. Otherwise its address is moved to the
        /// remainder of the file offset within its page.
        is_apart: bool,
        /// Alignment of its first section, in bytes.
        align: u64,
        /// Addresses and file offsets are congruent modulo this.
        modulus: u64,
    },
}

/// An assignment, in the order of the walk.
#[derive(Debug, Clone)]
pub struct Assigning {
    /// Its number among all assignments to symbols; `None` if it is to the location counter.
    pub number: Option<usize>,
    /// It belongs to the section before it, whatever is inserted between the two.
    pub is_tied: bool,
    /// The expression that is assigned.
    pub expr: Expr,
}

/// An output section of the script, or one made for orphans.
#[derive(Debug)]
pub struct Heading {
    /// Name, address, regions and other attributes; contents are in `body`.
    pub statement: Arc<OutputStatement>,
    /// The contents in order: parts, assignments and assertions.
    pub body: Vec<BodyPart>,
    /// It has no input or synthetic section: it is dropped unless it gets bytes.
    pub may_vanish: bool,
    /// The fill pattern of gaps behind its last statement.
    pub(super) fill: Vec<u8>,
    /// It has an address only from an option, and moves no other section.
    pub is_apart: bool,
    /// All inputs are empty: without gaps and data it takes no memory, though symbols may be in it.
    pub is_hollow: bool,
    /// Type and flags that its statements give, without gaps; only in layouts of scripts.
    pub(super) nature: Nature,
    /// GNU ld has an empty section here, which counts among orphans and is not in the output.
    pub(super) is_unwritten: bool,
    /// An expression refers to its address or size, so it has an address even if empty.
    pub is_mentioned: bool,
    /// Memory region of its load address: from its own `AT>region`, or that of the section before
    /// it in the same region.
    pub load_region: Option<Vec<u8>>,
    /// Index in [`OutputSections::heads`](super::OutputSections::heads); `None` before headers are
    /// made.
    pub head: Option<usize>,
}

/// One element of an output section's body.
#[derive(Debug)]
pub enum BodyPart {
    /// The part at this position of [`OutputSections::sections`](super::OutputSections::sections).
    Part(usize),
    /// An assignment to a symbol.
    Assign(Assigning),
    /// An assignment to the location counter: position of the gap's part, and the value.
    Gap(usize, Expr),
    /// `BYTE`, `SHORT`, `LONG` or `QUAD`: a number in the part at this position.
    Number {
        /// Position of the part that holds the bytes.
        part: usize,
        /// Id of the bytes that this statement fills.
        stated: StatedId,
        /// Width of the number in bytes.
        width: u8,
        /// The value of the number.
        expr: Expr,
    },
    /// An `ASSERT` within the output section.
    Assert(Assertion),
}

impl Layout {
    /// Positions of the headings in the order of the items.
    pub fn order(&self) -> impl Iterator<Item = usize> {
        self.items.iter().filter_map(|item| match item {
            Item::Heading(at) => Some(*at),
            _ => None,
        })
    }
}

impl Heading {
    /// The heading of a statement, without parts.
    pub(super) fn new(statement: Arc<OutputStatement>) -> Heading {
        Heading {
            load_region: statement.load_region.clone(),
            statement,
            body: Vec::new(),
            may_vanish: true,
            fill: Vec::new(),
            is_apart: false,
            is_hollow: true,
            nature: Nature::default(),
            is_unwritten: false,
            is_mentioned: false,
            head: None,
        }
    }

    /// The heading of an output section of one part.
    pub(super) fn of_part(statement: Arc<OutputStatement>, part: usize) -> Heading {
        let heading = Heading::new(statement);
        let body = vec![BodyPart::Part(part)];
        Heading { body, may_vanish: false, is_hollow: false, ..heading }
    }

    /// Positions of the heading's parts; `None` if it has no part.
    pub(super) fn parts(&self) -> Option<Range<usize>> {
        let mut positions = self.body.iter().filter_map(BodyPart::position);
        let first = positions.next()?;
        Some(first..positions.next_back().unwrap_or(first) + 1)
    }
}

impl BodyPart {
    /// Position of the part, if this element has one.
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
