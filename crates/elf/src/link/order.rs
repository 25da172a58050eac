//! The order of input sections: what options rank sections by, from names and files to ids.

use super::plan::Link;
use crate::layout::order::Order;
use crate::select::liveness::Liveness;

impl Link<'_> {
    /// What decides the order of input sections.
    pub fn section_order(&self, _live: &Liveness) -> Order<'_> {
        Order { arrangement: &self.options.arrangement, ranks: Vec::new() }
    }
}
