//! What is known of MIPS (MIPS supplement of the System V ABI; MIPS 64-bit ELF object file
//! specification; the n32 ABI handbook), for all three ABIs and both byte orders.

pub mod flags;
pub mod fold;
pub mod howto;
pub mod instruction;
pub mod loader;
pub mod numbers;
pub mod records;

use super::class::Class;
use super::description::{Machine, SmallData, TlsVariant};
use super::info_layout::InfoLayout;
use super::listed_got::{ListedGot, ListedTags};
use super::padding::Padding;
use super::property::MachineProperties;
use super::reloc_kind::RelocKind;
use object::elf::*;
use skald_linking::byte_order::ByteOrder;

/// The n64 ABI, little-endian.
pub static MACHINE: Machine = Machine {
    emulation: "elf64ltsmip",
    format: "elf64-tradlittlemips",
    format_variants: &[],
    emulation_variants: &[("elf64ltsmip_fbsd", Some(ELFOSABI_FREEBSD))],
    own_layout: None,
    architecture: "mips",
    own_architectures: &[],
    e_machine: EM_MIPS,
    class: Class::Elf64,
    byte_order: ByteOrder::Little,
    reloc_kind: RelocKind::Rela,
    info_layout: InfoLayout::Bytes,
    hash_word: 4,
    own_flags: None,
    header_flags: Some(flags::join),
    linking_flags: 0,
    foreign_hints: &[(Class::Elf32, EM_MIPS, "\n>>> it was compiled for 32 bits")],
    tool_prefix: "mips64el-",
    is_target: |triple| triple.starts_with("mips64el") && !triple.ends_with("n32"),
    // As GNU ld, Debian's multiarch directories first.
    library_paths: &[
        "=/usr/local/lib/mips64el-linux-gnuabi64",
        "=/lib/mips64el-linux-gnuabi64",
        "=/usr/lib/mips64el-linux-gnuabi64",
        "=/usr/local/lib64",
        "=/lib64",
        "=/usr/lib64",
        "=/usr/local/lib",
        "=/lib",
        "=/usr/lib",
        "=/usr/mips64el-linux-gnuabi64/lib64",
        "=/usr/mips64el-linux-gnuabi64/lib",
    ],
    entry: "__start",
    bss_start_names: &["_fbss"],
    end_names: &[],
    small_bases: &[],
    small_data: Some(SmallData {
        pointer: "_gp",
        starts: &[("_ftext", ".text"), ("_fdata", ".data")],
        reach: 0x8000,
        is_for_loader: false,
    }),
    far_code_models: |_| None,
    image_base: 0x1_2000_0000,
    near_span: 0x7000_0000,
    separate_code: false,
    drops_labels: false,
    usual_executable_stacks: true,
    relative_frames: true,
    max_page_size: 0x1_0000,
    common_page_size: 0x1000,
    unmade_options: &[],
    keywords: &[],
    memory_tags: None,
    large: None,
    pure_code: 0,
    unwind_type: None,
    tls: TlsVariant::Behind(0x7000),
    dtv_offset: 0x8000,
    got_word: 8,
    got_header: 0,
    got_plt_words: 1,
    got_plt_reserved: 2,
    plt_in_place: None,
    implied_call: None,
    register_symbols: None,
    got_names: &[],
    got_bias: 0,
    lazy_entries: None,
    descriptors: None,
    own_functions: None,
    listed_got: Some(&GOT_64),
    pic_plt_is_own: false,
    variant_calls: None,
    properties: &PROPERTIES,
    attribute_section: None,
    function_bit: 0,
    unwind_index: None,
    loaded_attributes: &records::OF_64,
    howtos: &howto::HOWTOS,
    more_howtos: &howto::MORE_HOWTOS,
    type_bits: u32::MAX,
    field_align: howto::field_align,
    code_addend: Some(instruction::LITTLE_ADDENDS),
    low_part: Some(howto::low_part),
    is_got2_offset: |_, _| false,
    sum_part: |_| None,
    is_thread_local: howto::is_thread_local,
    required_tls_sequence: howto::required_tls_sequence,
    fold: &fold::TYPES,
    loader: &loader::TYPES,
    // Zeros are the no-op.
    nop: Padding::ZERO,
    trap: Padding::ZERO,
};

/// The n64 ABI, big-endian.
pub static N64_BIG_ENDIAN: Machine = Machine {
    emulation: "elf64btsmip",
    format: "elf64-tradbigmips",
    emulation_variants: &[("elf64btsmip_fbsd", Some(ELFOSABI_FREEBSD))],
    byte_order: ByteOrder::Big,
    info_layout: InfoLayout::Number,
    tool_prefix: "mips64-",
    is_target: |triple| {
        triple.starts_with("mips64") && !triple.starts_with("mips64el") && !triple.ends_with("n32")
    },
    library_paths: &[
        "=/usr/local/lib/mips64-linux-gnuabi64",
        "=/lib/mips64-linux-gnuabi64",
        "=/usr/lib/mips64-linux-gnuabi64",
        "=/usr/local/lib64",
        "=/lib64",
        "=/usr/lib64",
        "=/usr/local/lib",
        "=/lib",
        "=/usr/lib",
        "=/usr/mips64-linux-gnuabi64/lib64",
        "=/usr/mips64-linux-gnuabi64/lib",
    ],
    code_addend: Some(instruction::BIG_ADDENDS),
    ..MACHINE
};

/// The n32 ABI, little-endian: 64-bit registers, and addresses of 32 bits.
pub static N32: Machine = Machine {
    emulation: "elf32ltsmipn32",
    format: "elf32-ntradlittlemips",
    emulation_variants: &[("elf32ltsmipn32_fbsd", Some(ELFOSABI_FREEBSD))],
    class: Class::Elf32,
    info_layout: InfoLayout::Number,
    own_flags: Some((EF_MIPS_ABI2, EF_MIPS_ABI2)),
    foreign_hints: FOR_64,
    is_target: |triple| triple.starts_with("mips64el") && triple.ends_with("n32"),
    library_paths: &[
        "=/usr/local/lib/mips64el-linux-gnuabin32",
        "=/lib/mips64el-linux-gnuabin32",
        "=/usr/lib/mips64el-linux-gnuabin32",
        "=/usr/local/lib32",
        "=/lib32",
        "=/usr/lib32",
        "=/usr/local/lib",
        "=/lib",
        "=/usr/lib",
        "=/usr/mips64el-linux-gnuabin32/lib32",
        "=/usr/mips64el-linux-gnuabin32/lib",
    ],
    image_base: 0x1000_0000,
    // All of an address space of 4 GiB.
    near_span: 1 << 32,
    got_word: 4,
    listed_got: Some(&GOT_32),
    loaded_attributes: &records::OF_32,
    loader: &loader::TYPES_32,
    ..MACHINE
};

/// The n32 ABI, big-endian.
pub static N32_BIG_ENDIAN: Machine = Machine {
    emulation: "elf32btsmipn32",
    format: "elf32-ntradbigmips",
    emulation_variants: &[("elf32btsmipn32_fbsd", Some(ELFOSABI_FREEBSD))],
    byte_order: ByteOrder::Big,
    tool_prefix: "mips64-",
    is_target: |triple| {
        triple.starts_with("mips64") && !triple.starts_with("mips64el") && triple.ends_with("n32")
    },
    library_paths: &[
        "=/usr/local/lib/mips64-linux-gnuabin32",
        "=/lib/mips64-linux-gnuabin32",
        "=/usr/lib/mips64-linux-gnuabin32",
        "=/usr/local/lib32",
        "=/lib32",
        "=/usr/lib32",
        "=/usr/local/lib",
        "=/lib",
        "=/usr/lib",
        "=/usr/mips64-linux-gnuabin32/lib32",
        "=/usr/mips64-linux-gnuabin32/lib",
    ],
    code_addend: Some(instruction::BIG_ADDENDS),
    ..N32
};

/// The o32 ABI, little-endian.
pub static O32: Machine = Machine {
    emulation: "elf32ltsmip",
    format: "elf32-tradlittlemips",
    emulation_variants: &[("elf32ltsmip_fbsd", Some(ELFOSABI_FREEBSD))],
    reloc_kind: RelocKind::Rel,
    own_flags: Some((EF_MIPS_ABI2, 0)),
    tool_prefix: "mipsel-",
    is_target: |triple| triple.starts_with("mipsel"),
    library_paths: &[
        "=/usr/local/lib/mipsel-linux-gnu",
        "=/lib/mipsel-linux-gnu",
        "=/usr/lib/mipsel-linux-gnu",
        "=/usr/local/lib",
        "=/lib",
        "=/usr/lib",
        "=/usr/mipsel-linux-gnu/lib",
    ],
    image_base: 0x40_0000,
    ..N32
};

/// The o32 ABI, big-endian.
pub static O32_BIG_ENDIAN: Machine = Machine {
    emulation: "elf32btsmip",
    format: "elf32-tradbigmips",
    emulation_variants: &[("elf32btsmip_fbsd", Some(ELFOSABI_FREEBSD))],
    byte_order: ByteOrder::Big,
    tool_prefix: "mips-",
    is_target: |triple| triple.starts_with("mips-") || triple.starts_with("mipsisa32"),
    library_paths: &[
        "=/usr/local/lib/mips-linux-gnu",
        "=/lib/mips-linux-gnu",
        "=/usr/lib/mips-linux-gnu",
        "=/usr/local/lib",
        "=/lib",
        "=/usr/lib",
        "=/usr/mips-linux-gnu/lib",
    ],
    code_addend: Some(instruction::BIG_ADDENDS),
    ..O32
};

const FOR_64: &[(Class, u16, &str)] =
    &[(Class::Elf64, EM_MIPS, "\n>>> it was compiled for 64 bits")];

const TAGS: ListedTags = ListedTags {
    version: DT_MIPS_RLD_VERSION,
    flags: DT_MIPS_FLAGS,
    base_address: DT_MIPS_BASE_ADDRESS,
    local_count: DT_MIPS_LOCAL_GOTNO,
    symbol_count: DT_MIPS_SYMTABNO,
    first_symbol: DT_MIPS_GOTSYM,
    plt_got: DT_MIPS_PLTGOT,
    debug_word: DT_MIPS_RLD_MAP,
    debug_distance: DT_MIPS_RLD_MAP_REL,
};

static GOT_64: ListedGot = GOT;

const GOT: ListedGot = ListedGot {
    reserved: 2,
    pointer: 0x7ff0,
    section_flag: SHF_MIPS_GPREL,
    pointer_names: &["_gp_disp", "__gnu_local_gp"],
    word: loader::WORD_64,
    canonical_mark: STO_MIPS_PLT,
    tags: TAGS,
};

static GOT_32: ListedGot = ListedGot { word: R_MIPS_REL32, ..GOT };

/// No property has a meaning that is the machine's.
static PROPERTIES: MachineProperties =
    MachineProperties { rules: &[], features: None, levels: None, signing: None, attributes: None };
