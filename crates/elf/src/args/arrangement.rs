//! Options on the placement and the order of sections. Part of [`Options`].
//!
//! [`Options`]: super::Options

use super::section_order::SectionOrder;
use std::path::PathBuf;

/// Order and placement of sections.
#[derive(Debug, Clone, Default)]
pub struct Arrangement {
    /// `--symbol-ordering-file`: one symbol name on each line.
    pub symbol_ordering_file: Option<PathBuf>,
    /// `--section-ordering-file`: GNU ld's list of sections.
    pub section_ordering_file: Option<PathBuf>,
    /// `--call-graph-ordering-file`: lines of caller, callee, count.
    pub call_graph_ordering_file: Option<PathBuf>,
    /// `--call-graph-profile-sort`: how a call graph orders functions.
    pub call_graph_sort: CallGraphSort,
    /// `--bp-startup-sort=function`: order functions by the startup trace of `irpgo_profile`.
    pub bp_startup_sort: bool,
    /// `--bp-compression-sort`: the kind of sections that are ordered so that the output compresses
    /// well.
    pub bp_compression_sort: CompressionSort,
    /// `--irpgo-profile`: a profile of LLVM's with startup traces.
    pub irpgo_profile: Option<PathBuf>,
    /// `--randomize-section-padding`: the seed.
    pub random_padding_seed: Option<u64>,
    /// `--shuffle-sections` and `--reverse-sections`, in order.
    pub shuffle: Vec<ShuffleRule>,
    /// `--sort-section`: the order of input sections in a wildcard of a script.
    pub sort_section: SortSection,
    /// `--enable-non-contiguous-regions`: a section that does not fit into its memory region goes
    /// to the next matching statement of the script.
    pub non_contiguous_regions: bool,
    /// `--enable-non-contiguous-regions-warnings`: warns of sections to which that may happen.
    pub non_contiguous_warnings: bool,
    /// `--orphan-handling`: what happens to sections that a script does not name.
    pub orphans: OrphanHandling,
    /// `--sort-common`: common symbols are ordered by alignment; `None` for no order.
    pub sort_common: Option<SortCommon>,
    /// `--section-order`: headers and sections in order.
    pub section_order: Option<SectionOrder>,
    /// `--section-align`: output section name and alignment in bytes, a power of two.
    pub section_align: Vec<(String, u64)>,
    /// `--unique`: every orphan is a section of its own.
    pub unique_orphans: bool,
    /// `--unique=PATTERN`: input sections that are not merged with others.
    pub unique: Vec<String>,
    /// `--discard-section`: names of input sections that are left out.
    pub discard_sections: Vec<String>,
    /// `--split-by-file`: bytes at which an output section is split.
    pub split_by_file: Option<u64>,
    /// `--split-by-reloc`: relocations at which an output section is split.
    pub split_by_reloc: Option<u64>,
    /// `-Trodata-segment`: address of the segment of read-only data.
    pub rodata_segment: Option<u64>,
    /// `-Tldata-segment`: address of the segment of `.ldata`.
    pub ldata_segment: Option<u64>,
    /// `-Ttext-segment` is not zero: even a position-independent executable stays where it is.
    pub is_fixed: bool,
    /// `--physical-image-base`: where `p_paddr` starts.
    pub physical_image_base: Option<u64>,
    /// `--spare-program-headers`: PT_NULL entries to add.
    pub spare_program_headers: u32,
    /// `--execute-only`: code segments are not readable.
    pub execute_only: bool,
    /// `--xosegment`: code without data has segments of its own.
    pub xosegment: bool,
    /// `--zero-to-bss`: sections that hold only zeros take no space in the file.
    pub zero_to_bss: bool,
    /// `--force-group-allocation`: with `-r`, groups are dissolved.
    pub force_group_allocation: bool,
    /// `--relocatable-merge-sections`: with `-r`, sections of one name are merged.
    pub relocatable_merge_sections: bool,
    /// `--no-ctors-in-init-array`: `.ctors` and `.dtors` stay sections of their own.
    pub keep_ctors: bool,
}

/// `--call-graph-profile-sort`: how a call graph orders functions.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum CallGraphSort {
    /// Cache-directed sort.
    #[default]
    Cdsort,
    /// Call-chain clustering.
    Hfsort,
    /// Functions keep the order of the command line.
    None,
}

/// `--bp-compression-sort`: the kind of sections that are ordered so that the output compresses
/// well.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum CompressionSort {
    /// Nothing is ordered.
    #[default]
    None,
    /// Only functions are ordered.
    Functions,
    /// Only data is ordered.
    Data,
    /// Functions and data are ordered.
    Both,
}

/// A rule of `--shuffle-sections`: some input sections and their new order.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ShuffleRule {
    /// Sections whose names match; `None` for all whose order is not specified.
    pub pattern: Option<String>,
    /// The order that they get.
    pub how: Shuffle,
}

impl Arrangement {
    /// Adds a rule. If several have no pattern (mold's form), the last holds.
    pub fn shuffle(&mut self, rule: ShuffleRule) {
        if rule.pattern.is_none() {
            self.shuffle.retain(|earlier| earlier.pattern.is_some());
        }
        self.shuffle.push(rule);
    }
}

/// The order that the sections of a rule get.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Shuffle {
    /// Random, from this seed.
    Seed(u64),
    /// Random, from a seed drawn for this link.
    Random,
    /// Back to front.
    Reverse,
}

/// `--sort-section`: the order of input sections in a wildcard of a script.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum SortSection {
    /// Sections keep the order of the command line.
    #[default]
    None,
    /// Sections are sorted by name.
    Name,
    /// Sections are sorted by alignment, largest first.
    Alignment,
}

/// `--orphan-handling`: what happens to sections that a script does not name.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum OrphanHandling {
    /// They are placed with output sections like them.
    #[default]
    Place,
    /// As [`OrphanHandling::Place`], with a warning.
    Warn,
    /// Orphans are an error.
    Error,
    /// Orphans are dropped.
    Discard,
}

/// `--sort-common`: the order of common symbols.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum SortCommon {
    /// Smallest alignment first.
    Ascending,
    /// Largest alignment first.
    Descending,
}
