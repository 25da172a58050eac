//! The stack machine of the first psABI ("ELF for the LoongArch Architecture", "Relocations", those
//! of the stack machine): relocations of one place push values and compute with them, and the last
//! one pops the result into the instruction. Like GNU ld, and unlike lld, objects with such code
//! are linked.

use crate::format::elf::Rela;
use crate::loops::apply_loop::{Site, Target};
use crate::machine::loongarch::howto::is_stack;
use crate::synth::patch::Fault;
use object::elf::*;

/// How many values there may be at once.
const DEPTH: usize = 16;

/// The values.
#[derive(Default)]
struct Stack {
    values: [i64; DEPTH],
    len: usize,
}

impl Stack {
    fn push(&mut self, value: i64) -> Option<()> {
        *self.values.get_mut(self.len)? = value;
        self.len += 1;
        Some(())
    }

    fn pop(&mut self) -> Option<i64> {
        self.len = self.len.checked_sub(1)?;
        Some(self.values[self.len])
    }

    /// Does what a type does that pushes no value of a symbol. `None` if there are too few values,
    /// or too many, or an assertion fails.
    fn compute(&mut self, r_type: u32) -> Option<()> {
        let top = self.pop()?;
        let value = match r_type {
            R_LARCH_SOP_PUSH_DUP => {
                self.push(top)?;
                top
            }
            R_LARCH_SOP_ASSERT => return (top != 0).then_some(()),
            R_LARCH_SOP_NOT => i64::from(top == 0),
            R_LARCH_SOP_SUB => self.pop()?.wrapping_sub(top),
            R_LARCH_SOP_ADD => self.pop()?.wrapping_add(top),
            R_LARCH_SOP_AND => self.pop()? & top,
            R_LARCH_SOP_SL => self.pop()?.checked_shl(u32::try_from(top).ok()?).unwrap_or(0),
            R_LARCH_SOP_SR => self.pop()? >> u32::try_from(top).ok()?.min(63),
            R_LARCH_SOP_IF_ELSE => {
                let otherwise = top;
                let then = self.pop()?;
                if self.pop()? != 0 { then } else { otherwise }
            }
            // One that an instruction of the same place has taken.
            _ => return Some(()),
        };
        self.push(value)
    }
}

/// What the relocation at `index` pops off the stack, after what those before it at its place have
/// done; `None` for one that pops nothing.
pub fn result(site: &Site<'_>, index: usize) -> Result<Option<u64>, Fault> {
    let relocs = site.operands.patch.relocs;
    let last = &relocs[index];
    if !matches!(
        last.r_type(),
        R_LARCH_SOP_ASSERT | R_LARCH_SOP_POP_32_S_10_5..=R_LARCH_SOP_POP_32_U
    ) {
        return Ok(None);
    }
    let is_of_place = |reloc: &&Rela| reloc.r_offset() == last.r_offset();
    let count = relocs[..index].iter().rev().take_while(is_of_place).count();
    let mut stack = Stack::default();
    for reloc in relocs[index - count..index].iter().filter(|reloc| is_stack(reloc.r_type())) {
        let done = if is_push(reloc.r_type()) {
            let value = match site.target_of(reloc)? {
                Some(target) => pushed(site, reloc, target),
                None => reloc.r_addend() as u64,
            };
            stack.push(value as i64)
        } else {
            stack.compute(reloc.r_type())
        };
        done.ok_or(Fault::Unsupported)?;
    }
    if last.r_type() == R_LARCH_SOP_ASSERT {
        return stack.compute(R_LARCH_SOP_ASSERT).map(|()| None).ok_or(Fault::Unsupported);
    }
    stack.pop().map(|value| Some(value as u64)).ok_or(Fault::Unsupported)
}

/// Whether a type pushes the value of a symbol.
const fn is_push(r_type: u32) -> bool {
    matches!(r_type, R_LARCH_SOP_PUSH_PCREL..=R_LARCH_SOP_PUSH_PLT_PCREL)
        && r_type != R_LARCH_SOP_PUSH_DUP
}

/// The value that a relocation pushes.
fn pushed(site: &Site<'_>, reloc: &Rela, target: Target) -> u64 {
    let operands = site.operands;
    let a = reloc.r_addend() as u64;
    let in_got = |word: u64| word.wrapping_sub(operands.image.bases.got).wrapping_add(a);
    match reloc.r_type() {
        R_LARCH_SOP_PUSH_PCREL => site.address(reloc, target).wrapping_sub(site.place(reloc)),
        R_LARCH_SOP_PUSH_PLT_PCREL => site.called(reloc, target).wrapping_sub(site.place(reloc)),
        R_LARCH_SOP_PUSH_GPREL => in_got(operands.got_address(reloc)),
        R_LARCH_SOP_PUSH_TLS_TPREL => {
            operands.tpoff(operands.view(reloc), target.s).wrapping_add(a)
        }
        R_LARCH_SOP_PUSH_TLS_GOT => in_got(operands.gottp(reloc)),
        R_LARCH_SOP_PUSH_TLS_GD => in_got(operands.tlsgd(reloc)),
        _ => site.address(reloc, target),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn operations_take_their_operands_in_order() {
        let run = |values: &[i64], types: &[u32]| {
            let mut stack = Stack::default();
            values.iter().try_for_each(|&value| stack.push(value))?;
            types.iter().try_for_each(|&r_type| stack.compute(r_type))?;
            stack.pop()
        };
        assert_eq!(run(&[7, 3], &[R_LARCH_SOP_SUB]), Some(4));
        assert_eq!(run(&[-16, 2], &[R_LARCH_SOP_SR]), Some(-4));
        assert_eq!(run(&[3, 4], &[R_LARCH_SOP_SL]), Some(48));
        assert_eq!(run(&[1, 10, 20], &[R_LARCH_SOP_IF_ELSE]), Some(10));
        assert_eq!(run(&[0, 10, 20], &[R_LARCH_SOP_IF_ELSE]), Some(20));
        assert_eq!(run(&[5], &[R_LARCH_SOP_PUSH_DUP, R_LARCH_SOP_ADD]), Some(10));
        assert_eq!(run(&[6, 3], &[R_LARCH_SOP_AND, R_LARCH_SOP_NOT]), Some(0));
        assert_eq!(run(&[9, 1], &[R_LARCH_SOP_ASSERT]), Some(9));
        assert_eq!(run(&[9, 0], &[R_LARCH_SOP_ASSERT]), None);
        assert_eq!(run(&[1], &[R_LARCH_SOP_ADD]), None);
        assert_eq!(run(&[0; 17], &[]), None);
    }
}
