//! Assigns an output section its address and load address, and its parts and symbols theirs
//! (`lang_size_sections_1` in GNU ld's `ldlang.c`).

use super::{Place, Walker, align_up, is_tbss};
use crate::layout::items::{BodyPart, Heading};
use crate::layout::nature::Traits;
use crate::layout::segments::reach;
use crate::script::statements::SectionKind;
use object::elf::*;
use skald_linking::expr::Expr;

/// What is known of an output section before its parts have addresses.
#[derive(Clone, Copy)]
struct Entered {
    sh_type: u32,
    sh_flags: u64,
    /// The memory region that it is in.
    region: Option<usize>,
    /// The address that a script or an option gives it.
    given: Option<u64>,
    /// Symbols are assigned in it, so it counts even if empty.
    has_symbols: bool,
    /// The script says that it is not loaded, although its contents would be.
    is_stated: bool,
    /// Alignment of its contents, and the alignment that the script asks for, in bytes.
    align: (u64, u64),
}

impl Entered {
    fn is_loaded(&self) -> bool {
        self.sh_flags & u64::from(SHF_ALLOC) != 0
    }

    fn is_tbss(&self) -> bool {
        is_tbss(self.sh_type, self.sh_flags)
    }
}

impl Walker<'_> {
    /// Walks through an output section.
    pub(super) fn heading(&mut self, at: usize) {
        self.walked += 1;
        let layout = self.layout;
        let heading = &layout.headings[at];
        let has_symbols = self.has_symbols(heading);
        let is_made = heading.nature.traits().is_some() && !layout.is_automatic;
        if heading.head.is_none() && !has_symbols && !heading.is_mentioned && !is_made {
            if !layout.is_automatic {
                self.skipped = self.given_address(at).or(self.skipped);
            }
            return;
        }
        let entered = self.enter(at, has_symbols);
        let (unaligned, outer_dot) = (self.unaligned(&entered), self.dot);
        let start = self.start(unaligned, &entered);
        let align = entered.align.0;
        self.dot = start;
        self.here = Some(at);
        self.walk.places[at].address = start;
        self.walk.places[at].align = align;
        self.walk.places[at].region = entered.region;
        let subalign = self.asked_alignment(heading.statement.subalign.as_ref());
        self.body(at, subalign);
        self.here = None;
        self.walk.places[at].size = match self.dot {
            u64::MAX => self.reach(at, start),
            dot => dot.wrapping_sub(start),
        };
        let shift = start.wrapping_sub(unaligned);
        self.load_address(at, &entered, align, shift);
        if !layout.is_automatic {
            self.keep_distance(at, &entered);
        }
        self.leave(at, &entered, outer_dot);
    }

    /// The size of an output section. One may reach the end of the address space, where the
    /// location counter stops one byte short.
    fn reach(&self, at: usize, start: u64) -> u64 {
        let parts = self.layout.headings[at].parts().unwrap_or(0..0);
        let reaches = self.outputs.sections[parts].iter().map(|part| reach(start, part));
        reaches.max().unwrap_or(0)
    }

    /// Whether any assignment to a symbol in an output section takes effect.
    fn has_symbols(&self, heading: &Heading) -> bool {
        let assigned = self.environment.assigned;
        let holds = |number: usize| assigned.get(number).is_none_or(Option::is_some);
        heading.body.iter().any(
            |part| matches!(part, BodyPart::Assign(assign) if assign.number.is_some_and(holds)),
        )
    }

    fn enter(&mut self, at: usize, has_symbols: bool) -> Entered {
        let layout = self.layout;
        let heading = &layout.headings[at];
        let statement = &heading.statement;
        let of_statements = if layout.is_automatic {
            (SHT_NOBITS, u64::from(SHF_ALLOC))
        } else {
            (SHT_NOBITS, heading.nature.memory_flags())
        };
        let first = heading.parts().map(|parts| &self.outputs.sections[parts.start]);
        let (sh_type, sh_flags) = first.map_or(of_statements, |part| (part.sh_type, part.sh_flags));
        // A section made by gaps alone is in memory only if one of them has bytes.
        let is_of_gaps = heading.nature.traits() == Some(Traits::default());
        let region_flags = if is_of_gaps && self.walk.places[at].size == 0 { 0 } else { sh_flags };
        let has_data = heading.nature.traits().is_some_and(|traits| traits.has(Traits::VALUES));
        let given = self.given_address(at);
        let named = self.named_region(statement.region.as_deref());
        let region = match given {
            Some(_) => named,
            None => named.or_else(|| self.region_like(sh_type, region_flags, has_data)),
        };
        let subalign = self.asked_alignment(statement.subalign.as_ref());
        let asked = self.asked_alignment(statement.align.as_ref()).unwrap_or(1);
        let align = self.alignment(at, subalign).max(asked).max(1);
        let is_stated = statement.kind == SectionKind::Unallocated;
        let entered = Entered {
            sh_type,
            sh_flags,
            region,
            given,
            has_symbols,
            is_stated,
            align: (align, asked),
        };
        let is_there = heading.head.is_some() || has_symbols;
        if is_there
            && given.is_none()
            && region.is_none()
            && entered.is_loaded()
            && !entered.is_tbss()
        {
            self.refuse_without_region(heading);
        }
        entered
    }

    /// The value of an ALIGN or SUBALIGN expression. `sh_addralign` must be a power of two, so
    /// other values are rounded up, as in GNU ld; lld refuses them.
    fn asked_alignment(&mut self, expr: Option<&Expr>) -> Option<u64> {
        const GREATEST: u64 = 1 << 63;
        let asked = self.address(expr?)?;
        Some(asked.checked_next_power_of_two().unwrap_or(GREATEST))
    }

    /// Where an output section would begin if it needed no alignment.
    fn unaligned(&self, entered: &Entered) -> u64 {
        match entered.given {
            Some(address) => address,
            // A section between loaded ones that is not to be loaded uses their location counter.
            None if !entered.is_loaded() && self.layout.is_automatic && !entered.is_stated => 0,
            None => {
                let address = self.counter(entered);
                let template_end = self.template_end.filter(|_| entered.is_tbss());
                template_end.map_or(address, |end| end.max(address))
            }
        }
    }

    /// The location counter of the memory region that an output section is in.
    fn counter(&self, entered: &Entered) -> u64 {
        let region = entered.region.map(|region| self.walk.regions[region].current);
        region.unwrap_or(self.default)
    }

    /// Moves the location counter behind an output section; `outer_dot` is where it was before.
    fn leave(&mut self, at: usize, entered: &Entered, outer_dot: u64) {
        let layout = self.layout;
        let heading = &layout.headings[at];
        let Place { address: start, size, .. } = self.walk.places[at];
        let is_empty = heading.is_hollow && size == 0 && !layout.is_automatic;
        if (heading.head.is_none() || is_empty) && !entered.has_symbols {
            // Expressions can refer to the section's address, but it takes no memory.
            self.dot = outer_dot;
            self.skipped = entered.given.or(self.skipped);
            return;
        }
        if !entered.is_loaded() && layout.is_automatic {
            self.dot = outer_dot;
            return;
        }
        // A section that the script marks as not loaded takes its room all the same, because its
        // inputs would be loaded.
        let is_meant = heading.nature.traits().is_some_and(|traits| traits.has(Traits::LOADED));
        if !entered.is_loaded() && !is_meant {
            // The location counter advances, but not that of the memory region.
            (self.dot, self.skipped) = (start.wrapping_add(size), None);
            return;
        }
        let is_tbss = entered.is_tbss();
        let moved = if is_tbss { 0 } else { size };
        let is_behind_zeros = is_tbss && entered.given.is_none() && self.template_end.is_some();
        self.skipped = None;
        self.dot = if is_behind_zeros {
            align_up(self.counter(entered), self.walk.places[at].align.max(1))
        } else {
            start.wrapping_add(moved)
        };
        if is_tbss && !layout.is_automatic {
            self.template_end = Some(start.wrapping_add(size));
        } else if size != 0 {
            self.template_end = None;
        }
        if layout.is_automatic {
            self.place_in_file(heading.parts().unwrap_or(0..0), outer_dot);
        }
        if heading.head.is_some() && entered.is_loaded() {
            (self.previous, self.is_dot_assigned) = (Some(at), false);
        }
        if heading.is_apart {
            return;
        }
        match entered.region {
            None => self.default = self.dot,
            Some(region) => self.fill_region(region, at, self.dot),
        }
        self.fill_load_region(at, entered.region, entered.sh_type, moved);
    }

    /// The greatest alignment in an output section.
    fn alignment(&self, at: usize, subalign: Option<u64>) -> u64 {
        let parts = self.layout.headings[at].body.iter().filter_map(|part| match part {
            BodyPart::Part(at) => Some(&self.outputs.sections[*at]),
            _ => None,
        });
        // The inputs' own alignment counts for the section's alignment even under SUBALIGN.
        parts.map(|part| part.align.max(subalign.unwrap_or(1))).max().unwrap_or(1)
    }

    /// The address that a statement or an option gives an output section.
    fn given_address(&mut self, at: usize) -> Option<u64> {
        let layout = self.layout;
        let statement = &layout.headings[at].statement;
        // If several sections have one name, an option means the first.
        let is_first = self.named.get(&statement.name[..]) == Some(&at);
        let fixed = self.fixed_address(&statement.name).filter(|_| is_first);
        fixed.or_else(|| statement.address.as_ref().and_then(|expr| self.address(expr)))
    }

    /// The start of an output section; a given address holds whatever the inputs ask for.
    fn start(&mut self, unaligned: u64, entered: &Entered) -> u64 {
        let (align, asked) = entered.align;
        if std::mem::take(&mut self.is_exact) {
            return unaligned;
        }
        let is_given = entered.given.is_some() && !self.layout.is_automatic;
        align_up(unaligned, if is_given { asked } else { align })
    }

    pub(super) fn fixed_address(&self, name: &[u8]) -> Option<u64> {
        let mut starts = self.environment.starts.iter().rev();
        starts.find(|(fixed, _)| fixed.as_bytes() == name).map(|&(_, address)| address)
    }

    /// Computes a section's load address; `shift` is the number of bytes that alignment added to
    /// its address.
    fn load_address(&mut self, at: usize, entered: &Entered, align: u64, shift: u64) {
        let (region, is_loaded) = (entered.region, entered.is_loaded());
        let asked = entered.align.1;
        // If an address is given, the inputs' alignment does not count, and neither does it for the
        // load address.
        let align = if entered.given.is_some() { asked.max(1) } else { align };
        let statement = &self.layout.headings[at].statement;
        let place = self.walk.places[at];
        let own = region.map_or(0, |region| region + 1);
        let load_region = self.layout.headings[at].load_region.as_deref();
        let load_region = self.named_region(load_region);
        let load_address = if let Some(expr) = &statement.load_address {
            self.address(expr).unwrap_or(place.address)
        } else if let Some(load_region) = load_region {
            let current = self.walk.regions[load_region].current;
            match load_region {
                // This walk has not moved the region's counter to the section yet.
                same if Some(same) == region => align_up(current, align),
                _ if statement.aligns_with_input => current.wrapping_add(shift),
                _ => align_up(current, asked.max(1)),
            }
        } else if let Some(last) = self.last[own].filter(|_| is_loaded) {
            let last = self.walk.places[last];
            let end = place.address.saturating_add(place.size);
            if place.address < last.address && place.size != 0 && end <= last.address {
                // If the location counter went back, load addresses equal addresses again.
                place.address
            } else {
                align_up(
                    place.address.wrapping_add(last.load_address).wrapping_sub(last.address),
                    align,
                )
            }
        } else {
            place.address
        };
        self.walk.places[at].load_address = load_address;
    }

    /// Notes the section as the one from which later sections take the distance between address and
    /// load address. An empty section counts if its load address differs from its address, or if
    /// none counted before. A section that only GNU ld has never counts: its alignment would count
    /// as a move of the location counter (GNU ld warns of that, and loses the distance).
    fn keep_distance(&mut self, at: usize, entered: &Entered) {
        if self.layout.headings[at].is_unwritten {
            return;
        }
        let region = entered.region;
        let Place { address, size, load_address, .. } = self.walk.places[at];
        let own = region.map_or(0, |region| region + 1);
        let counts = match self.last[own] {
            _ if size != 0 => true,
            None => address != load_address,
            Some(last) => address >= self.walk.places[last].address,
        };
        let is_in_memory = entered.is_loaded() && !entered.is_tbss();
        if counts && is_in_memory && self.layout.headings[at].load_region.is_none() {
            self.last[own] = Some(at);
        }
    }
}
