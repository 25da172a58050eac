//! SuperH (SH-4 and its relatives) with Linux: the facts of its psABI, which is what GNU's tools
//! do. Instructions have the byte order of data.

mod flags;
mod fold;
pub mod howto;
mod loader;

use super::class::Class;
use super::description::{Machine, TlsVariant};
use super::info_layout::InfoLayout;
use super::padding::Padding;
use super::property::MachineProperties;
use super::reloc_kind::RelocKind;
use object::elf::*;
use skald_linking::byte_order::ByteOrder;

/// SH Linux.
pub static MACHINE: Machine = Machine {
    emulation: "shlelf_linux",
    format: "elf32-sh-linux",
    format_variants: &[],
    emulation_variants: &[],
    own_layout: None,
    architecture: "sh",
    own_architectures: &["sh"],
    e_machine: EM_SH,
    class: Class::Elf32,
    byte_order: ByteOrder::Little,
    reloc_kind: RelocKind::RelaInFields,
    info_layout: InfoLayout::Number,
    hash_word: 4,
    own_flags: None,
    header_flags: Some(flags::join),
    linking_flags: 0,
    foreign_hints: &[],
    tool_prefix: "sh4-",
    is_target: |triple| triple.starts_with("sh4-") || triple.starts_with("sh-"),
    // As GNU ld, Debian's multiarch directories first.
    library_paths: &[
        "=/usr/local/lib/sh4-linux-gnu",
        "=/lib/sh4-linux-gnu",
        "=/usr/lib/sh4-linux-gnu",
        "=/usr/local/lib",
        "=/lib",
        "=/usr/lib",
        "=/usr/sh4-linux-gnu/lib",
    ],
    entry: "_start",
    bss_start_names: &[],
    end_names: &[],
    got_names: &[],
    small_data: None,
    small_bases: &[],
    far_code_models: |_| None,
    image_base: 0x40_0000,
    // All of an address space of 4 GiB.
    near_span: 1 << 32,
    separate_code: false,
    usual_executable_stacks: false,
    relative_frames: false,
    drops_labels: false,
    max_page_size: 0x1_0000,
    common_page_size: 0x1000,
    unmade_options: &[],
    keywords: &[],
    memory_tags: None,
    large: None,
    pure_code: 0,
    unwind_type: None,
    // The block follows a header of two words.
    tls: TlsVariant::Before(8),
    dtv_offset: 0,
    got_word: 4,
    got_header: 0,
    got_bias: 0,
    got_plt_words: 1,
    got_plt_reserved: 3,
    plt_in_place: None,
    implied_call: None,
    register_symbols: None,
    listed_got: None,
    pic_plt_is_own: true,
    lazy_entries: None,
    descriptors: None,
    own_functions: None,
    variant_calls: None,
    properties: &PROPERTIES,
    attribute_section: None,
    function_bit: 0,
    unwind_index: None,
    loaded_attributes: &[],
    howtos: &howto::HOWTOS,
    more_howtos: &howto::MORE_HOWTOS,
    type_bits: u32::MAX,
    field_align: |r_type| match r_type {
        R_SH_DIR8WPN | R_SH_IND12W | R_SH_DIR8WPZ => 2,
        _ => 1,
    },
    code_addend: None,
    low_part: None,
    is_got2_offset: |_, _| false,
    sum_part: |_| None,
    is_thread_local: howto::is_thread_local,
    required_tls_sequence: |_| "is not rewritten",
    fold: &fold::TYPES,
    loader: &loader::TYPES,
    // nop
    nop: Padding::instruction([0x09, 0, 0x09, 0]),
    trap: Padding::ZERO,
};

/// SH Linux, big-endian.
pub static BIG_ENDIAN: Machine = Machine {
    emulation: "shelf_linux",
    format: "elf32-shbig-linux",
    byte_order: ByteOrder::Big,
    tool_prefix: "sh4eb-",
    is_target: |triple| triple.starts_with("sh4eb") || triple.starts_with("sheb"),
    nop: Padding::instruction([0, 0x09, 0, 0x09]),
    ..MACHINE
};

/// No property has a meaning that is the machine's.
static PROPERTIES: MachineProperties =
    MachineProperties { rules: &[], features: None, levels: None, signing: None, attributes: None };
