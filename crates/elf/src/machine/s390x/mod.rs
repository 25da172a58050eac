//! s390x, which its psABI calls z/Architecture: the facts of that psABI ("ELF Application Binary
//! Interface, s390x Supplement"). It has 64 bits and is big-endian.

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

/// s390x Linux.
pub static MACHINE: Machine = Machine {
    emulation: "elf64_s390",
    format: "elf64-s390",
    format_variants: &[],
    emulation_variants: &[],
    own_layout: None,
    architecture: "s390",
    own_architectures: &["s390:64-bit"],
    e_machine: EM_S390,
    class: Class::Elf64,
    byte_order: ByteOrder::Big,
    reloc_kind: RelocKind::Rela,
    info_layout: InfoLayout::Number,
    hash_word: 8,
    own_flags: None,
    header_flags: None,
    linking_flags: 0,
    foreign_hints: &[(Class::Elf32, EM_S390, "\n>>> it was compiled for 31 bits (-m31)")],
    tool_prefix: "s390x-",
    is_target: |triple| triple.starts_with("s390x"),
    // As GNU ld, Debian's multiarch directories first.
    library_paths: &[
        "=/usr/local/lib/s390x-linux-gnu",
        "=/lib/s390x-linux-gnu",
        "=/usr/lib/s390x-linux-gnu",
        "=/usr/local/lib64",
        "=/lib64",
        "=/usr/lib64",
        "=/usr/local/lib",
        "=/lib",
        "=/usr/lib",
        "=/usr/s390x-linux-gnu/lib64",
        "=/usr/s390x-linux-gnu/lib",
    ],
    entry: "_start",
    bss_start_names: &[],
    end_names: &[],
    got_names: &[],
    small_data: None,
    small_bases: &[],
    // LARL reaches as far as code is ever compiled for.
    far_code_models: |_| None,
    image_base: 0x100_0000,
    // Distances are counted in halfwords, so they reach 4 GiB; with room for what the linker adds.
    near_span: 0xf000_0000,
    separate_code: false,
    usual_executable_stacks: false,
    relative_frames: false,
    drops_labels: false,
    max_page_size: 0x1000,
    common_page_size: 0x1000,
    unmade_options: &[],
    keywords: &["--s390-pgste"],
    memory_tags: None,
    large: None,
    pure_code: 0,
    unwind_type: None,
    tls: TlsVariant::AtEnd,
    dtv_offset: 0,
    got_word: 8,
    // Of GNU ld 2.24 and later: the words of the loader are in `.got`, and `.got.plt` has none.
    got_header: 3,
    got_bias: 0,
    got_plt_words: 1,
    got_plt_reserved: 0,
    plt_in_place: None,
    implied_call: None,
    register_symbols: None,
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
    more_howtos: &howto::VTABLES,
    type_bits: u32::MAX,
    field_align: |r_type| if howto::is_halved(r_type) { 2 } else { 1 },
    code_addend: None,
    low_part: None,
    is_got2_offset: |_, _| false,
    sum_part: |_| None,
    is_thread_local: howto::is_thread_local,
    required_tls_sequence: howto::required_tls_sequence,
    fold: &fold::TYPES,
    loader: &loader::TYPES,
    // nopr %r7
    nop: Padding::bytes(0x07),
    trap: Padding::bytes(0x07),
};

/// No property has a meaning that is the machine's.
static PROPERTIES: MachineProperties =
    MachineProperties { rules: &[], features: None, levels: None, signing: None, attributes: None };
