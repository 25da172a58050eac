//! Jumps by register that are hinted to lead to a known function.

/// The hint that a jump to the address in `$25` leads to a known function: the branch that it
/// becomes, if it is such a jump. `distance` counts from the jump.
pub fn branch_for(word: u32, distance: u64) -> Option<u32> {
    let from_slot = distance.wrapping_sub(4) as i64;
    if !(-0x2_0000..0x2_0000).contains(&from_slot) || from_slot & 3 != 0 {
        return None;
    }
    let offset = (from_slot >> 2) as u32 & 0xffff;
    match word {
        // jalr $25 -> bal
        0x0320_f809 => Some(0x0411_0000 | offset),
        // jr $25 -> b, of all releases
        0x0320_0008 | 0x0320_0009 => Some(0x1000_0000 | offset),
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn jumps_become_branches_in_reach() {
        assert_eq!(branch_for(0x0320_f809, 8), Some(0x0411_0001));
        assert_eq!(branch_for(0x0320_0008, 0u64.wrapping_sub(4)), Some(0x1000_fffe));
        assert_eq!(branch_for(0x0320_f809, 0x2_0004), None);
        assert_eq!(branch_for(0x0320_f809, 0x2_0000), Some(0x0411_7fff));
        assert_eq!(branch_for(0x0320_f808, 8), None);
    }
}
