//! Where instructions have their fields (AVR Instruction Set Manual).

/// Sets bits of an instruction: those of `mask`, to those of `bits`.
const fn with(instruction: u16, mask: u16, bits: u16) -> u16 {
    instruction & !mask | bits & mask
}

/// `brXX`: the distance in half-words.
pub const fn set_branch(instruction: u16, distance: u16) -> u16 {
    with(instruction, 0x03f8, distance << 3)
}

/// `rjmp`, `rcall`: the distance in half-words.
pub const fn set_relative_jump(instruction: u16, distance: u16) -> u16 {
    with(instruction, 0x0fff, distance)
}

/// `jmp`, `call`: the high bits of a number of half-words, in the first half-word. The second one
/// is the rest.
pub const fn set_jump(instruction: u16, high: u16) -> u16 {
    with(instruction, 0x01f1, (high & 0x3e) << 3 | high & 1)
}

/// `ldi` and others with an immediate of eight bits.
pub const fn set_immediate(instruction: u16, byte: u16) -> u16 {
    with(instruction, 0x0f0f, (byte & 0xf0) << 4 | byte & 0x0f)
}

/// `ldd`, `std`: the displacement.
pub const fn set_displacement(instruction: u16, number: u16) -> u16 {
    let bits = (number & 0x20) << 8 | (number & 0x18) << 7 | number & 0x07;
    with(instruction, 0x2c07, bits)
}

/// `adiw`, `sbiw`: the immediate.
pub const fn set_added(instruction: u16, number: u16) -> u16 {
    with(instruction, 0x00cf, (number & 0x30) << 2 | number & 0x0f)
}

/// `lds`, `sts` of 16 bits: an address of seven bits.
pub const fn set_near_address(instruction: u16, address: u16) -> u16 {
    let bits = (address & 0x40) << 2 | (address & 0x30) << 5 | address & 0x0f;
    with(instruction, 0x070f, bits)
}

/// `in`, `out`: a port of six bits.
pub const fn set_port(instruction: u16, port: u16) -> u16 {
    with(instruction, 0x060f, (port & 0x30) << 5 | port & 0x0f)
}

/// `sbi`, `cbi` and others: a port of five bits.
pub const fn set_bit_port(instruction: u16, port: u16) -> u16 {
    with(instruction, 0x00f8, port << 3)
}

#[cfg(test)]
mod tests {
    use super::*;

    // As GNU as writes them.
    #[test]
    fn fields_stand_where_the_assembler_has_them() {
        // breq .-2, rjmp .-4, jmp 0x3ffffe
        assert_eq!(set_branch(0xf001, -1i16 as u16), 0xf3f9);
        assert_eq!(set_relative_jump(0xc000, -2i16 as u16), 0xcffe);
        assert_eq!(set_jump(0x940c, 0x1f), 0x94fd);
        assert_eq!(set_jump(0x940c, 0x3f), 0x95fd);
        // ldi r24, 0xa5; ldd r24, Y+63; adiw r24, 63
        assert_eq!(set_immediate(0xe080, 0xa5), 0xea85);
        assert_eq!(set_displacement(0x8188, 63), 0xad8f);
        assert_eq!(set_added(0x9600, 63), 0x96cf);
        // in r24, 0x3f; sbi 0x1f, 1
        assert_eq!(set_port(0xb180, 0x3f), 0xb78f);
        assert_eq!(set_bit_port(0x9a01, 0x1f), 0x9af9);
        // lds r20, 0x7f for avrtiny
        assert_eq!(set_near_address(0xa040, 0x7f), 0xa74f);
        // What was set before does not stay.
        assert_eq!(set_immediate(0xefff, 0), 0xe0f0);
    }
}
