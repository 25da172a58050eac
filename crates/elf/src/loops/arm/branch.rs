//! Branches: where each leads, whether it changes between A32 and Thumb, and how far it reaches.
//! The apply loop and the search for thunks both decide by this.

use crate::format::elf::Rela;
use crate::loops::operands::Operands;
use crate::loops::thunks::Reach;
use crate::machine::arm::code_addend::is_blx;
use crate::machine::arm::howto::*;
use crate::machine::arm::processor::{HAS_BLX, HAS_LONG_CALLS};
use crate::resolve::definitions::attr;
use object::elf::{STT_FUNC, STT_GNU_IFUNC};

/// B, BL and BLX of A32.
static A32: Reach = Reach { backward: 1 << 25, forward: (1 << 25) - 4, origin: 8 };
/// BL, BLX and B.W of Thumb.
static THUMB: Reach = Reach { backward: 1 << 24, forward: (1 << 24) - 2, origin: 4 };
/// BL and BLX of the first Thumb.
static FIRST_THUMB: Reach = Reach { backward: 1 << 22, forward: (1 << 22) - 2, origin: 4 };
/// The conditional B.W.
static CONDITIONAL: Reach = Reach { backward: 1 << 20, forward: (1 << 20) - 2, origin: 4 };

/// A branch that may go through a thunk.
#[derive(Debug, Clone, Copy)]
pub struct Kind {
    /// The instruction is of Thumb.
    pub is_thumb: bool,
    /// It can become BLX, or BL again.
    pub can_change: bool,
    /// It is BLX.
    pub changes: bool,
    /// How far it reaches.
    pub reach: &'static Reach,
}

impl Kind {
    /// That of a relocation in an instruction, if it is such a branch; on processors with
    /// `features`.
    pub fn of(r_type: u32, word: u32, features: u32) -> Option<Kind> {
        let has_blx = features & HAS_BLX != 0;
        let jump = |is_thumb, reach| Kind { is_thumb, can_change: false, changes: false, reach };
        Some(match r_type {
            R_ARM_CALL | R_ARM_PC24 | R_ARM_PLT32 | R_ARM_XPC25 => {
                // BL without a condition, or BLX.
                let is_call = word >> 24 == 0xeb || is_blx(word);
                let changes = is_blx(word);
                Kind { is_thumb: false, can_change: has_blx && is_call, changes, reach: &A32 }
            }
            R_ARM_JUMP24 => jump(false, &A32),
            R_ARM_THM_CALL | R_ARM_THM_XPC22 => {
                let is_long = features & HAS_LONG_CALLS != 0;
                let reach = if is_long { &THUMB } else { &FIRST_THUMB };
                // Bits 12, 14 and 15 of the second half.
                let changes = word & 0xd000 == 0xc000;
                Kind { is_thumb: true, can_change: has_blx, changes, reach }
            }
            R_ARM_THM_JUMP24 => jump(true, &THUMB),
            R_ARM_THM_JUMP19 => jump(true, &CONDITIONAL),
            _ => return None,
        })
    }

    /// Whether a branch at `place` leads to a goal by itself.
    pub fn leads_to(self, place: u64, goal: Goal) -> bool {
        (self.can_change || self.is_thumb == goal.is_thumb)
            && self.reach.covers(self.origin(place, goal.is_thumb), goal.address)
    }

    /// The place from which the distance counts: BLX of Thumb counts from a multiple of four.
    pub fn origin(self, place: u64, to_thumb: bool) -> u64 {
        if self.is_thumb && !to_thumb { place & !3 } else { place }
    }
}

/// Where a branch leads.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Goal {
    /// An even number.
    pub address: u64,
    /// The code there is Thumb.
    pub is_thumb: bool,
    /// The symbol's value has the bit for Thumb, also if nothing says that it is a function.
    pub has_bit: bool,
}

impl Goal {
    /// The address with the bit for Thumb.
    pub fn with_bit(self) -> u64 {
        self.address | u64::from(self.is_thumb || self.has_bit)
    }
}

/// What the symbol of a branch is.
#[derive(Debug, Clone, Copy)]
pub enum Target {
    /// A place in this output, or an absolute address: S.
    Here(u64),
    /// Reached through a PLT entry, if there is one.
    Indirect,
}

/// Where a branch leads; `None` for nowhere, if the symbol is weak and nothing defines it. Labels
/// that are no functions are of the kind that the instruction leads to as it was written; a thunk
/// changes the kind by their lowest bit, as in GNU ld.
pub fn goal(operands: Operands<'_>, reloc: &Rela, kind: Kind, target: Target) -> Option<Goal> {
    // The addend compensates for where the processor counts from.
    let addend = (reloc.r_addend() as u64).wrapping_add(kind.reach.origin);
    let (s, is_thumb) = match target {
        Target::Indirect => (Some(operands.function_address(reloc)).filter(|&l| l != 0)?, false),
        Target::Here(0) if operands.view(reloc).attributes & attr::UNDEF_WEAK != 0 => return None,
        Target::Here(s) => {
            let as_written = kind.is_thumb != kind.changes;
            (s, if is_function(operands, reloc) { s & 1 != 0 } else { as_written })
        }
    };
    let address = (s & !1).wrapping_add(addend) & 0xffff_ffff;
    Some(Goal { address: address & !1, is_thumb, has_bit: s & 1 != 0 })
}

/// Whether the lowest bit of the symbol's value says that it is a function of Thumb.
pub fn is_function(operands: Operands<'_>, reloc: &Rela) -> bool {
    let view = operands.view(reloc);
    match view.name() {
        Some(_) => view.attributes & (attr::FUNC | attr::IFUNC) != 0,
        None => {
            let object = &operands.image.objects[operands.patch.section.object];
            let symbol = object.mapped.symbols.get(reloc.symbol());
            symbol.is_some_and(|symbol| matches!(symbol.kind(), STT_FUNC | STT_GNU_IFUNC))
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_calls_change_to_the_other_kind() {
        let kind = |r_type, word, features| Kind::of(r_type, word, features).unwrap();
        assert!(kind(R_ARM_CALL, 0xebff_fffe, HAS_BLX).can_change);
        assert!(kind(R_ARM_PC24, 0xfaff_fffe, HAS_BLX).can_change);
        assert!(!kind(R_ARM_CALL, 0xebff_fffe, 0).can_change);
        assert!(!kind(R_ARM_CALL, 0x0bff_fffe, HAS_BLX).can_change);
        assert!(!kind(R_ARM_JUMP24, 0xeaff_fffe, HAS_BLX).can_change);
        assert!(kind(R_ARM_THM_CALL, 0, HAS_BLX).can_change);
        assert!(Kind::of(R_ARM_THM_JUMP11, 0, HAS_BLX).is_none());
    }

    #[test]
    fn reach_depends_on_the_processor() {
        let kind = |features| Kind::of(R_ARM_THM_CALL, 0, features).unwrap();
        let far = Goal { address: 0x80_0000, is_thumb: true, has_bit: true };
        assert!(kind(HAS_LONG_CALLS).leads_to(0x1000, far));
        assert!(!kind(0).leads_to(0x1000, far));
        // From a multiple of four.
        let a32 = Goal { address: 0x100_0004, is_thumb: false, has_bit: false };
        assert!(!kind(HAS_LONG_CALLS | HAS_BLX).leads_to(0x2, a32));
        assert!(kind(HAS_LONG_CALLS | HAS_BLX).leads_to(0x6, a32));
    }
}
