//! i386: the facts of its psABI.

mod fold;
pub mod howto;
mod loader;
mod property;

use super::class::Class;
use super::description::{Machine, TlsVariant};
use super::info_layout::InfoLayout;
use super::padding::Padding;
use super::reloc_kind::RelocKind;
use object::elf::*;
use skald_linking::byte_order::ByteOrder;

/// i386 Linux.
pub static MACHINE: Machine = Machine {
    emulation: "elf_i386",
    format: "elf32-i386",
    format_variants: &[("-freebsd", Some(ELFOSABI_FREEBSD)), ("-sol2", None)],
    emulation_variants: &[("elf_i386_fbsd", Some(ELFOSABI_FREEBSD))],
    own_layout: None,
    architecture: "i386",
    own_architectures: &["i386", "i386:intel"],
    e_machine: EM_386,
    class: Class::Elf32,
    byte_order: ByteOrder::Little,
    reloc_kind: RelocKind::Rel,
    info_layout: InfoLayout::Number,
    hash_word: 4,
    own_flags: None,
    header_flags: None,
    linking_flags: 0,
    foreign_hints: &[
        (Class::Elf64, EM_X86_64, "\n>>> it was compiled for x86-64, without -m32"),
        (Class::Elf32, EM_X86_64, "\n>>> it was compiled with -mx32"),
        (Class::Elf32, EM_IAMCU, "\n>>> it was compiled for Intel MCU, which is not supported"),
    ],
    tool_prefix: "i686-",
    is_target: |triple| {
        ["i386-", "i486-", "i586-", "i686-"].iter().any(|prefix| triple.starts_with(prefix))
    },
    // As GNU ld, Debian's multiarch directories first, then those of multilib.
    library_paths: &[
        "=/usr/local/lib/i386-linux-gnu",
        "=/lib/i386-linux-gnu",
        "=/usr/lib/i386-linux-gnu",
        "=/usr/local/lib32",
        "=/lib32",
        "=/usr/lib32",
        "=/usr/local/lib",
        "=/lib",
        "=/usr/lib",
        "=/usr/i686-linux-gnu/lib32",
        "=/usr/i686-linux-gnu/lib",
        "=/usr/i386-linux-gnu/lib",
    ],
    entry: "_start",
    bss_start_names: &[],
    end_names: &[],
    got_names: &[],
    small_data: None,
    small_bases: &[],
    far_code_models: |_| None,
    image_base: 0x804_8000,
    // All of an address space of 4 GiB.
    near_span: 1 << 32,
    separate_code: true,
    usual_executable_stacks: false,
    relative_frames: false,
    drops_labels: false,
    max_page_size: 0x1000,
    common_page_size: 0x1000,
    unmade_options: &[],
    keywords: &[
        "ibt",
        "ibtplt",
        "shstk",
        "force-ibt",
        "cet-report",
        "rewrite-endbr",
        "retpolineplt",
        "x86-64-baseline",
        "x86-64-v2",
        "x86-64-v3",
        "x86-64-v4",
        "isa-level-report",
        "call-nop",
    ],
    memory_tags: None,
    large: None,
    pure_code: 0,
    unwind_type: None,
    // psABI 2.6: variant II, the block ends at the thread pointer.
    tls: TlsVariant::AtEnd,
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
    properties: &property::PROPERTIES,
    attribute_section: None,
    function_bit: 0,
    unwind_index: None,
    loaded_attributes: &[],
    howtos: &howto::HOWTOS,
    more_howtos: &howto::MARKS,
    type_bits: u32::MAX,
    field_align: |_| 1,
    code_addend: None,
    low_part: None,
    is_got2_offset: |_, _| false,
    sum_part: |_| None,
    is_thread_local: howto::is_thread_local,
    required_tls_sequence: howto::required_tls_sequence,
    fold: &fold::TYPES,
    loader: &loader::TYPES,
    nop: Padding::bytes(0x90),
    trap: Padding::bytes(0xcc),
};
