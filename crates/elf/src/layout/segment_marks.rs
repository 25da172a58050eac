//! Segments without content that say something to a kernel.

use crate::args::Options;
use object::elf::PF_X;

/// Memory may be writable and executable (`exec_elf.h` of OpenBSD).
const PT_OPENBSD_WXNEEDED: u32 = 0x65a3_dbe7;
/// Targets of branches are not checked.
const PT_OPENBSD_NOBTCFI: u32 = 0x65a3_dbe8;
/// Tables of pages have room for what KVM knows of pages of guests (`elf/s390.h` of binutils).
const PT_S390_PGSTE: u32 = 0x7000_0000;

/// The types and flags of those that options ask for.
pub fn of(options: &Options) -> Vec<(u32, u32)> {
    let has_pgste = options.machine.keywords.contains(&"--s390-pgste");
    let all = [
        (options.z.wxneeded, PT_OPENBSD_WXNEEDED, PF_X),
        (options.z.nobtcfi, PT_OPENBSD_NOBTCFI, PF_X),
        (options.processors.pgste && has_pgste, PT_S390_PGSTE, 0),
    ];
    all.into_iter().filter(|mark| mark.0).map(|(_, p_type, flags)| (p_type, flags)).collect()
}
