//! Where sections are put and in which order, when the command line has a say. Part of
//! [`Options`].
//!
//! [`Options`]: super::Options

use super::section_order::SectionOrder;
use std::path::PathBuf;

/// Order and placement of sections.
#[derive(Debug, Clone, Default)]
pub struct Arrangement {
    /// `--symbol-ordering-file`: one symbol name a line.
    pub symbol_ordering_file: Option<PathBuf>,
    /// `--section-ordering-file`: GNU ld's list of sections.
    pub section_ordering_file: Option<PathBuf>,
    /// `--call-graph-ordering-file`: lines of caller, callee, count.
    pub call_graph_ordering_file: Option<PathBuf>,
    /// `--call-graph-profile-sort`.
    pub call_graph_sort: CallGraphSort,
    /// `--bp-startup-sort=function`: order functions by the startup trace of `irpgo_profile`.
    pub bp_startup_sort: bool,
    /// `--bp-compression-sort`.
    pub bp_compression_sort: CompressionSort,
    /// `--irpgo-profile`.
    pub irpgo_profile: Option<PathBuf>,
    /// `--randomize-section-padding`: the seed.
    pub random_padding_seed: Option<u64>,
    /// `--shuffle-sections` and `--reverse-sections`, in order.
    pub shuffle: Vec<ShuffleRule>,
    /// `--sort-section`: the order of input sections in a wildcard of a script.
    pub sort_section: SortSection,
    /// `--orphan-handling`.
    pub orphans: OrphanHandling,
    /// `--sort-common`.
    pub sort_common: Option<SortCommon>,
    /// `--section-order`: headers and sections in order.
    pub section_order: Option<SectionOrder>,
    /// `--section-align`: output section name and alignment in bytes, a power of two.
    pub section_align: Vec<(String, u64)>,
    /// `--unique`: every orphan section of its own.
    pub unique_orphans: bool,
    /// `--unique=PATTERN`: input sections that are not merged with others.
    pub unique: Vec<String>,
    /// `--discard-section` names.
    pub discard_sections: Vec<String>,
    /// `--split-by-file`: bytes at which an output section is split.
    pub split_by_file: Option<u64>,
    /// `--split-by-reloc`: relocations at which an output section is split.
    pub split_by_reloc: Option<u64>,
    /// `-Trodata-segment`.
    pub rodata_segment: Option<u64>,
    /// `-Tldata-segment`.
    pub ldata_segment: Option<u64>,
    /// `-Ttext-segment` is not zero: even a position-independent executable stays where it is.
    pub is_fixed: bool,
    /// `--physical-image-base`: where `p_paddr` starts.
    pub physical_image_base: Option<u64>,
    /// `--spare-program-headers`: PT_NULL entries to add.
    pub spare_program_headers: u32,
    /// `--execute-only`: code segments are not readable.
    pub execute_only: bool,
    /// `--zero-to-bss`: sections that hold only zeros take no space in the file.
    pub zero_to_bss: bool,
    /// `--force-group-allocation`: with `-r`, groups are dissolved.
    pub force_group_allocation: bool,
    /// `--relocatable-merge-sections`: with `-r`, sections of one name are merged.
    pub relocatable_merge_sections: bool,
    /// `--no-ctors-in-init-array`.
    pub keep_ctors: bool,
}

/// `--call-graph-profile-sort`.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum CallGraphSort {
    /// Cache-directed sort.
    #[default]
    Cdsort,
    /// Call-chain clustering.
    Hfsort,
    /// Inputs keep their order.
    None,
}

/// `--bp-compression-sort`.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum CompressionSort {
    /// Off.
    #[default]
    None,
    /// Functions.
    Functions,
    /// Data.
    Data,
    /// Both.
    Both,
}

/// `--shuffle-sections`: some input sections and their new order.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ShuffleRule {
    /// Sections whose names match; `None` for all that promise no order.
    pub pattern: Option<String>,
    /// How they are shuffled.
    pub how: Shuffle,
}

impl Arrangement {
    /// Adds a rule. Of those without a pattern, which are mold's, the last holds.
    pub fn shuffle(&mut self, rule: ShuffleRule) {
        if rule.pattern.is_none() {
            self.shuffle.retain(|earlier| earlier.pattern.is_some());
        }
        self.shuffle.push(rule);
    }
}

/// How the sections of a pattern are shuffled.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Shuffle {
    /// With this seed.
    Seed(u64),
    /// With a seed drawn for this link.
    Random,
    /// Back to front.
    Reverse,
}

/// `--sort-section`.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum SortSection {
    /// Command-line order.
    #[default]
    None,
    /// By name.
    Name,
    /// By alignment, largest first.
    Alignment,
}

/// `--orphan-handling`: what becomes of sections that a script does not name.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum OrphanHandling {
    /// They stand with those that are like them.
    #[default]
    Place,
    /// The same, with a warning.
    Warn,
    /// They are an error.
    Error,
    /// They are dropped.
    Discard,
}

/// `--sort-common`.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum SortCommon {
    /// Smallest alignment first.
    Ascending,
    /// Largest alignment first.
    Descending,
}
