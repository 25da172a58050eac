//! x86-64: relocations, relaxations and PLTs (x86-64 psABI).

pub mod apply;
mod apply_any;
pub mod branch;
pub mod decide;
pub mod fall_through;
pub mod fold;
pub mod howto;
mod instruction;
pub mod landing_pad;
mod loader;
pub mod names;
mod plt;
mod plt_frames;
pub mod relax;
pub mod scan;
pub mod split_prologue;
pub mod thunk;
pub mod tls;

use super::target::{Target, TlsVariant};
use super::padding::Padding;
use object::elf::*;

/// x86-64 Linux, LP64.
pub static TARGET: Target = Target {
    emulation: "elf_x86_64",
    format: "elf64-x86-64",
    format_variants: &["-freebsd", "-sol2"],
    architecture: "i386",
    machine: EM_X86_64,
    class: ELFCLASS64,
    byte_order: ELFDATA2LSB,
    header_flags: 0,
    foreign_hints: &[
        (ELFCLASS32, EM_386, "\n>>> it was compiled with -m32, or for an i386 system"),
        (ELFCLASS32, EM_X86_64, "\n>>> it was compiled with -mx32"),
    ],
    tool_prefix: "x86_64-",
    // As GNU ld, Debian's multiarch directories first.
    library_paths: &[
        "=/usr/local/lib/x86_64-linux-gnu",
        "=/lib/x86_64-linux-gnu",
        "=/usr/lib/x86_64-linux-gnu",
        "=/usr/local/lib64",
        "=/lib64",
        "=/usr/lib64",
        "=/usr/local/lib",
        "=/lib",
        "=/usr/lib",
    ],
    entry: "_start",
    max_page_size: 0x1000,
    common_page_size: 0x1000,
    large_section: 1 << 28,
    unwind_type: SHT_X86_64_UNWIND,
    // psABI 6.1.
    tls: TlsVariant::AtEnd,
    got_word: 8,
    got_plt_reserved: 3,
    plt_align: 16,
    plt_entsize: [16, 8],
    plt: plt::table,
    plt_cie: plt_frames::CIE,
    sframe_abi: (3, 0xf8),
    loader: &loader::TYPES,
    nop: Padding::Bytes(0x90),
    trap: Padding::Bytes(0xcc),
};
