//! AVR, microcontrollers of 8 bits: the facts, which are what GNU's tools do. Programs have no
//! system: they are at fixed addresses, in a layout of the machine's own. An emulation is a family
//! of devices, and differs in the bounds of memory alone.

mod flags;
mod fold;
pub mod howto;
mod layout;

use super::class::Class;
use super::description::{Machine, TlsVariant};
use super::info_layout::InfoLayout;
use super::loader::LoaderTypes;
use super::padding::Padding;
use super::property::MachineProperties;
use super::reloc_kind::RelocKind;
pub use flags::wraps_around;
use object::elf::*;
use skald_linking::byte_order::ByteOrder;

/// AVR of all families.
pub static MACHINE: Machine = Machine {
    emulation: "avr2",
    format: "elf32-avr",
    format_variants: &[],
    emulation_variants: &[
        ("avr1", None),
        ("avr25", None),
        ("avr3", None),
        ("avr31", None),
        ("avr35", None),
        ("avr4", None),
        ("avr5", None),
        ("avr51", None),
        ("avr6", None),
        ("avrxmega1", None),
        ("avrxmega2", None),
        ("avrxmega3", None),
        ("avrxmega4", None),
        ("avrxmega5", None),
        ("avrxmega6", None),
        ("avrxmega7", None),
        ("avrtiny", None),
    ],
    own_layout: Some(layout::script),
    architecture: "avr",
    own_architectures: &["avr"],
    e_machine: EM_AVR,
    class: Class::Elf32,
    byte_order: ByteOrder::Little,
    reloc_kind: RelocKind::Rela,
    hash_word: 4,
    header_flags: Some(flags::join),
    linking_flags: flags::LINK_RELAX,
    foreign_hints: &[],
    info_layout: InfoLayout::Number,
    own_flags: None,
    usual_executable_stacks: false,
    relative_frames: false,
    listed_got: None,
    loaded_attributes: &[],
    low_part: None,
    drops_labels: false,
    tool_prefix: "avr-",
    is_target: |triple| triple.starts_with("avr"),
    library_paths: &["=/usr/avr/lib"],
    entry: "_start",
    bss_start_names: &[],
    end_names: &[],
    got_names: &[],
    small_data: None,
    far_code_models: |_| None,
    image_base: 0,
    // All of an address space of 4 GiB.
    near_span: 1 << 32,
    separate_code: false,
    // There are no pages.
    max_page_size: 1,
    common_page_size: 1,
    is_got2_offset: |_, _| false,
    small_bases: &[],
    unmade_options: &[],
    keywords: &[],
    memory_tags: None,
    large: None,
    pure_code: 0,
    unwind_type: None,
    // There are no threads.
    tls: TlsVariant::AtEnd,
    dtv_offset: 0,
    got_word: 4,
    got_header: 0,
    got_bias: 0,
    got_plt_words: 1,
    got_plt_reserved: 0,
    plt_in_place: None,
    implied_call: None,
    register_symbols: None,
    pic_plt_is_own: false,
    lazy_entries: None,
    descriptors: None,
    own_functions: None,
    variant_calls: None,
    properties: &PROPERTIES,
    attribute_section: None,
    function_bit: 0,
    unwind_index: None,
    howtos: &howto::HOWTOS,
    more_howtos: &[],
    type_bits: u32::MAX,
    field_align: howto::field_align,
    code_addend: None,
    sum_part: |_| None,
    is_thread_local: |_| false,
    required_tls_sequence: |_| "is not rewritten",
    fold: &fold::TYPES,
    loader: &LoaderTypes::none(R_AVR_32),
    // nop, which is all zeros
    nop: Padding::ZERO,
    trap: Padding::ZERO,
};

/// No property has a meaning that is the machine's.
static PROPERTIES: MachineProperties =
    MachineProperties { rules: &[], features: None, levels: None, signing: None, attributes: None };
