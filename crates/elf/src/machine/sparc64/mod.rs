//! SPARC with 64 bits (version 9 of the architecture): the facts of its psABI ("System V ABI, SPARC
//! Version 9 Processor Supplement"; SPARC Compliance Definition 2.4). It is big-endian.

mod flags;
mod fold;
pub mod howto;
mod loader;

use super::class::Class;
use super::description::{Machine, PltInPlace, TlsVariant};
use super::info_layout::InfoLayout;
use super::padding::Padding;
use super::property::MachineProperties;
use super::reloc_kind::RelocKind;
use object::elf::*;
use skald_linking::byte_order::ByteOrder;

/// SPARC64 Linux.
pub static MACHINE: Machine = Machine {
    emulation: "elf64_sparc",
    format: "elf64-sparc",
    format_variants: &[],
    emulation_variants: &[],
    own_layout: None,
    architecture: "sparc",
    own_architectures: &["sparc:v9"],
    e_machine: EM_SPARCV9,
    class: Class::Elf64,
    byte_order: ByteOrder::Big,
    reloc_kind: RelocKind::Rela,
    info_layout: InfoLayout::Number,
    hash_word: 4,
    own_flags: None,
    header_flags: Some(flags::join),
    linking_flags: 0,
    foreign_hints: &[(Class::Elf32, EM_SPARC, "\n>>> it was compiled for 32 bits (-m32)")],
    tool_prefix: "sparc64-",
    is_target: |triple| triple.starts_with("sparc64") || triple.starts_with("sparcv9"),
    // As GNU ld, Debian's multiarch directories first.
    library_paths: &[
        "=/usr/local/lib/sparc64-linux-gnu",
        "=/lib/sparc64-linux-gnu",
        "=/usr/lib/sparc64-linux-gnu",
        "=/usr/local/lib64",
        "=/lib64",
        "=/usr/lib64",
        "=/usr/local/lib",
        "=/lib",
        "=/usr/lib",
        "=/usr/sparc64-linux-gnu/lib64",
        "=/usr/sparc64-linux-gnu/lib",
    ],
    entry: "_start",
    bss_start_names: &[],
    end_names: &[],
    got_names: &[],
    small_data: None,
    small_bases: &[],
    far_code_models: |r_type| match r_type {
        R_SPARC_HI22 => Some("-mcmodel=medmid"),
        R_SPARC_H44 => Some("-mcmodel=medany"),
        _ => None,
    },
    image_base: 0x10_0000,
    // Calls reach 2 GiB; with room for what the linker adds.
    near_span: 0x7000_0000,
    separate_code: false,
    usual_executable_stacks: false,
    relative_frames: false,
    drops_labels: false,
    max_page_size: 0x10_0000,
    common_page_size: 0x2000,
    unmade_options: &[],
    keywords: &[],
    memory_tags: None,
    large: None,
    pure_code: 0,
    unwind_type: None,
    tls: TlsVariant::AtEnd,
    dtv_offset: 0,
    got_word: 8,
    got_header: 1,
    got_bias: 0,
    got_plt_words: 1,
    got_plt_reserved: 0,
    // Branches reach 1 MiB.
    plt_in_place: Some(PltInPlace { near: 0x8000, block: 160, far_code: 24 }),
    implied_call: Some("__tls_get_addr"),
    register_symbols: Some(STT_SPARC_REGISTER),
    listed_got: None,
    pic_plt_is_own: false,
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
    more_howtos: &howto::LAST,
    type_bits: howto::TYPE_BITS,
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
    nop: Padding::instruction([0x01, 0, 0, 0]),
    trap: Padding::instruction([0x01, 0, 0, 0]),
};

/// No property has a meaning that is the machine's.
static PROPERTIES: MachineProperties =
    MachineProperties { rules: &[], features: None, levels: None, signing: None, attributes: None };
