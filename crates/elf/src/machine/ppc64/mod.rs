//! PowerPC with 64 bits: the facts of its psABI ("64-Bit ELF V2 ABI Specification, Power
//! Architecture"; "64-bit PowerPC ELF Application Binary Interface Supplement" for the older
//! one, with function descriptors).

mod flags;
mod fold;
pub mod howto;
mod loader;
mod saving;

use super::class::Class;
use super::description::{Descriptors, LazyEntries, LazyPlace, Machine, TlsVariant};
use super::info_layout::InfoLayout;
use super::padding::Padding;
use super::property::MachineProperties;
use super::reloc_kind::RelocKind;
use object::elf::*;
use skald_linking::byte_order::ByteOrder;

/// PowerPC Linux, 64 bits, little-endian.
pub static MACHINE: Machine = Machine {
    emulation: "elf64lppc",
    format: "elf64-powerpcle",
    format_variants: &[],
    emulation_variants: &[],
    own_layout: None,
    architecture: "powerpc",
    own_architectures: &["powerpc:common64", "powerpc"],
    e_machine: EM_PPC64,
    class: Class::Elf64,
    byte_order: ByteOrder::Little,
    reloc_kind: RelocKind::Rela,
    info_layout: InfoLayout::Number,
    hash_word: 4,
    own_flags: None,
    header_flags: Some(flags::join),
    linking_flags: 0,
    foreign_hints: &[(Class::Elf32, EM_PPC, "\n>>> it was compiled for 32 bits")],
    tool_prefix: "powerpc64le-",
    is_target: |triple| triple.starts_with("powerpc64le") || triple.starts_with("ppc64le"),
    // As GNU ld, Debian's multiarch directories first.
    library_paths: &[
        "=/usr/local/lib/powerpc64le-linux-gnu",
        "=/lib/powerpc64le-linux-gnu",
        "=/usr/lib/powerpc64le-linux-gnu",
        "=/usr/local/lib64",
        "=/lib64",
        "=/usr/lib64",
        "=/usr/local/lib",
        "=/lib",
        "=/usr/lib",
        "=/usr/powerpc64le-linux-gnu/lib64",
        "=/usr/powerpc64le-linux-gnu/lib",
    ],
    entry: "_start",
    bss_start_names: &[],
    end_names: &[],
    got_names: &[".TOC."],
    small_data: None,
    small_bases: &[],
    far_code_models: |r_type| {
        let base = howto::of(r_type).map(|row| (row.base, row.part));
        matches!(base, Some((howto::Base::Toc | howto::Base::Got, howto::Part::All)))
            .then_some("-mcmodel=medium")
    },
    image_base: 0x1000_0000,
    // What two instructions add to the TOC's address; with room for what the linker adds.
    near_span: 0x7000_0000,
    separate_code: false,
    usual_executable_stacks: false,
    relative_frames: false,
    drops_labels: false,
    max_page_size: 0x1_0000,
    common_page_size: 0x1000,
    unmade_options: &["--emit-stub-syms", "--plt-static-chain"],
    keywords: &["--no-toc-optimize"],
    memory_tags: None,
    large: None,
    pure_code: 0,
    unwind_type: None,
    tls: TlsVariant::Behind(0x7000),
    dtv_offset: 0x8000,
    got_word: 8,
    got_header: 1,
    got_bias: 0x8000,
    got_plt_words: 1,
    got_plt_reserved: 2,
    plt_in_place: None,
    implied_call: None,
    register_symbols: None,
    listed_got: None,
    pic_plt_is_own: false,
    lazy_entries: Some(LazyEntries {
        tag: DT_PPC64_GLINK,
        place: LazyPlace::Before(32),
        have_addresses: true,
    }),
    descriptors: None,
    own_functions: Some(saving::functions),
    variant_calls: None,
    properties: &PROPERTIES,
    attribute_section: None,
    function_bit: 0,
    unwind_index: None,
    loaded_attributes: &[],
    howtos: &howto::HOWTOS,
    more_howtos: &[],
    type_bits: u32::MAX,
    field_align: howto::field_align,
    code_addend: None,
    low_part: None,
    is_got2_offset: |_, _| false,
    sum_part: |_| None,
    is_thread_local: howto::is_thread_local,
    required_tls_sequence: howto::required_tls_sequence,
    fold: &fold::TYPES,
    loader: &loader::TYPES,
    // nop
    nop: Padding::instruction([0, 0, 0, 0x60]),
    // As GNU ld; zeros are no instruction.
    trap: Padding::ZERO,
};

/// PowerPC Linux, 64 bits, big-endian, with function descriptors (ELFv1).
pub static ELFV1: Machine = Machine {
    emulation: "elf64ppc",
    format: "elf64-powerpc",
    byte_order: ByteOrder::Big,
    tool_prefix: "powerpc64-",
    is_target: |triple| triple.starts_with("powerpc64-") || triple.starts_with("ppc64-"),
    library_paths: &[
        "=/usr/local/lib/powerpc64-linux-gnu",
        "=/lib/powerpc64-linux-gnu",
        "=/usr/lib/powerpc64-linux-gnu",
        "=/usr/local/lib64",
        "=/lib64",
        "=/usr/lib64",
        "=/usr/local/lib",
        "=/lib",
        "=/usr/lib",
        "=/usr/powerpc64-linux-gnu/lib64",
        "=/usr/powerpc64-linux-gnu/lib",
    ],
    descriptors: Some(Descriptors { section: ".opd", size: 24, code: howto::types::ADDR64 }),
    // Descriptors.
    got_plt_words: 3,
    got_plt_reserved: 3,
    lazy_entries: Some(LazyEntries {
        tag: DT_PPC64_GLINK,
        place: LazyPlace::Before(32),
        have_addresses: false,
    }),
    header_flags: Some(flags::join_v1),
    nop: Padding::instruction([0x60, 0, 0, 0]),
    ..MACHINE
};

/// No property has a meaning that is the machine's.
static PROPERTIES: MachineProperties =
    MachineProperties { rules: &[], features: None, levels: None, signing: None, attributes: None };
