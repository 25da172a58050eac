//! m68k: the facts of its psABI (System V ABI, Motorola 68000 Processor Family Supplement), of the
//! 68020 and its successors, of CPU32 and of ColdFire.

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
pub use flags::{Core, core};
use object::elf::*;
use skald_linking::byte_order::ByteOrder;

/// m68k Linux.
pub static MACHINE: Machine = Machine {
    emulation: "m68kelf",
    format: "elf32-m68k",
    format_variants: &[],
    emulation_variants: &[("m68kelfnbsd", None)],
    own_layout: None,
    architecture: "m68k",
    own_architectures: &["m68k"],
    e_machine: EM_68K,
    class: Class::Elf32,
    byte_order: ByteOrder::Big,
    reloc_kind: RelocKind::Rela,
    info_layout: InfoLayout::Number,
    hash_word: 4,
    own_flags: None,
    header_flags: Some(flags::join),
    linking_flags: 0,
    foreign_hints: &[],
    tool_prefix: "m68k-",
    is_target: |triple| triple.starts_with("m68k"),
    // As GNU ld, Debian's multiarch directories first.
    library_paths: &[
        "=/usr/local/lib/m68k-linux-gnu",
        "=/lib/m68k-linux-gnu",
        "=/usr/lib/m68k-linux-gnu",
        "=/usr/local/lib",
        "=/lib",
        "=/usr/lib",
        "=/usr/m68k-linux-gnu/lib",
    ],
    entry: "_start",
    bss_start_names: &[],
    end_names: &[],
    got_names: &[],
    small_data: None,
    small_bases: &[],
    far_code_models: |r_type| match r_type {
        R_68K_GOT16O | R_68K_GOT8O => Some("-fPIC"),
        R_68K_TLS_GD16 | R_68K_TLS_LDM16 | R_68K_TLS_LDO16 | R_68K_TLS_IE16 | R_68K_TLS_LE16 => {
            Some("-mxtls")
        }
        _ => None,
    },
    image_base: 0x8000_0000,
    // All of an address space of 4 GiB.
    near_span: 1 << 32,
    separate_code: false,
    usual_executable_stacks: false,
    relative_frames: false,
    drops_labels: false,
    max_page_size: 0x2000,
    common_page_size: 0x2000,
    unmade_options: &[],
    keywords: &[],
    memory_tags: None,
    large: None,
    pure_code: 0,
    unwind_type: None,
    // So that signed offsets of 16 bits reach 60 KiB of the block.
    tls: TlsVariant::Behind(0x7000),
    dtv_offset: 0x8000,
    got_word: 4,
    got_header: 0,
    got_bias: 0,
    got_plt_words: 1,
    got_plt_reserved: 3,
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
    more_howtos: &[],
    type_bits: u32::MAX,
    field_align: |_| 1,
    code_addend: None,
    low_part: None,
    is_got2_offset: |_, _| false,
    sum_part: |_| None,
    is_thread_local: howto::is_thread_local,
    required_tls_sequence: |_| "is not rewritten",
    fold: &fold::TYPES,
    loader: &loader::TYPES,
    // nop, as GNU ld has it before and between functions.
    nop: Padding::instruction([0x4e, 0x71, 0x4e, 0x71]),
    trap: Padding::instruction([0x4e, 0x71, 0x4e, 0x71]),
};

/// No property has a meaning that is the machine's.
static PROPERTIES: MachineProperties =
    MachineProperties { rules: &[], features: None, levels: None, signing: None, attributes: None };
