//! Sections of both byte orders and all sizes of addresses, for tests.

use skald_linking::byte_order::{ByteOrder, Number};

/// How a program stores numbers.
#[derive(Debug, Clone, Copy)]
pub struct Numbers {
    /// The order of their bytes.
    pub order: ByteOrder,
    /// Bytes of an address.
    pub address_size: u8,
}

/// All combinations that are tested.
pub const ALL: [Numbers; 4] = [
    Numbers { order: ByteOrder::Little, address_size: 8 },
    Numbers { order: ByteOrder::Big, address_size: 8 },
    Numbers { order: ByteOrder::Little, address_size: 4 },
    Numbers { order: ByteOrder::Big, address_size: 4 },
];

impl Numbers {
    /// The bytes of an address.
    pub fn address(self, address: u64) -> Vec<u8> {
        let mut bytes = vec![0; self.address_size.into()];
        self.order.put_low(&mut bytes, address);
        bytes
    }

    /// The bytes of a number of this type.
    pub fn number<N: Number>(self, number: N) -> Vec<u8> {
        self.order.bytes(number).into_iter().collect()
    }

    /// `content` behind its length and the version, 5.
    pub fn part(self, content: &[&[u8]]) -> Vec<u8> {
        let content = content.concat();
        let len = self.number(content.len() as u32 + 2);
        [len, self.number(5_u16), content].concat()
    }

    /// A compilation unit that has these entries, and the abbreviations at 0.
    pub fn unit(self, entries: &[&[u8]]) -> Vec<u8> {
        self.part(&[&[1, self.address_size, 0, 0, 0, 0], &entries.concat()])
    }
}
