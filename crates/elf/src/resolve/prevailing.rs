//! Which resolution plugins get for each symbol of the files that they claimed.

use super::definitions::{Definitions, attr};
use super::extract::Extraction;
use super::names::references::ref_flags;
use super::rank::Strength;
use crate::format::elf::Sym;
use crate::lto::plugins::{Claim, Plugins};
use crate::read::object_file::ObjectFile;
use crate::read::{FileId, ObjectId, Objects};
use object::elf::SHN_UNDEF;
use skald_core::ids::{Column, IdRange};
use skald_core::names::NameId;
use skald_core::par::prelude::*;
use skald_core::unordered::{UnorderedMap, UnorderedSet};
use skald_plugin::wire::{Resolution, def};
use std::sync::atomic::{AtomicBool, Ordering};

/// The definitions of the link on trial, with the stand-ins of claimed files.
pub struct Trial<'a> {
    objects: &'a Objects,
    definitions: &'a Definitions,
    /// By claimed file that is linked, its stand-in.
    stand_ins: UnorderedMap<FileId, ObjectId>,
    /// By name, whether a regular object, an option or a script refers to it.
    is_referred_to: Column<NameId, AtomicBool>,
    /// Names that options and scripts assign.
    assigned: UnorderedSet<NameId>,
    /// The linker's own names that nothing defines yet.
    late: UnorderedSet<NameId>,
    /// By name whose common symbols are also in regular objects, the largest size there.
    commons: UnorderedMap<NameId, u64>,
    /// `-r`: the final link may refer to all symbols, hidden ones too.
    is_relocatable: bool,
}

/// Names in options and scripts.
#[derive(Clone, Copy)]
pub struct OptionNames<'a> {
    /// Those that are referred to.
    pub mentioned: &'a [&'a [u8]],
    /// Those that are assigned.
    pub assigned: &'a [&'a [u8]],
}

impl<'a> Trial<'a> {
    /// Finds the references to each name. `late` are the linker's own names that nothing defines
    /// yet.
    pub fn new(
        extraction: &'a Extraction,
        objects: &'a Objects,
        definitions: &'a Definitions,
        plugins: &Plugins,
        names: OptionNames<'_>,
        late: UnorderedSet<NameId>,
        is_relocatable: bool,
    ) -> Trial<'a> {
        let OptionNames { mentioned: named, assigned } = names;
        let find = |name: &&[u8]| extraction.names.find_text(name);
        let stand_ins: UnorderedMap<FileId, ObjectId> = objects
            .with_ids()
            .filter_map(|(at, object)| Some((object.file?, at)))
            .filter(|&(file, _)| plugins.claim_of(file).is_some())
            .collect();
        let is_referred_to: Column<NameId, AtomicBool> =
            (0..extraction.names.id_limit()).map(|_| AtomicBool::new(false)).collect();
        let refer = |name: NameId| is_referred_to[name].store(true, Ordering::Relaxed);
        objects.par_with_ids().for_each(|(at, object)| {
            let is_stand_in =
                |file: Option<FileId>| file.is_some_and(|f| stand_ins.contains_key(&f));
            if !is_stand_in(object.file) {
                let is_intermediate = |other: ObjectId| is_stand_in(objects[other].file);
                references_of(at, object, definitions, &is_intermediate).for_each(refer);
            }
        });
        let mut commons = UnorderedMap::new();
        for object in objects.iter() {
            let is_stand_in = object.file.is_some_and(|file| stand_ins.contains_key(&file));
            if object.common_count == 0 || is_stand_in {
                continue;
            }
            for (_, symbol, name) in object.globals().filter(|(_, s, _)| object.is_common(s)) {
                let size: &mut u64 = commons.entry(name).or_default();
                *size = symbol.st_size().max(*size);
            }
        }
        named.iter().filter_map(find).for_each(refer);
        for &id in &extraction.own_names.ids {
            if extraction.refs.get(id).flags() & (ref_flags::ROOT | ref_flags::WRAPPED) != 0 {
                refer(id);
            }
        }
        for &(from, to) in &extraction.own_names.wraps {
            refer(from);
            refer(to);
        }
        Trial {
            objects,
            definitions,
            stand_ins,
            is_referred_to,
            assigned: assigned.iter().filter_map(find).collect(),
            late,
            commons,
            is_relocatable,
        }
    }

    /// A [`Resolution`] for each symbol of a claimed file; `None` if it is not linked.
    pub fn of_file(&self, file: FileId, claim: &Claim) -> Option<Vec<u8>> {
        let &at = self.stand_ins.get(&file)?;
        let object = &self.objects[at];
        let names = &object.globals;
        let one = |(&kind, &name): (&u8, &NameId)| self.of_symbol(at, kind, name) as u8;
        Some(claim.kinds.iter().zip(names).map(one).collect())
    }

    fn of_symbol(&self, own: ObjectId, kind: u8, name: NameId) -> Resolution {
        let definitions = self.definitions;
        let rank = definitions.ranks[name];
        let is_of_object = rank.strength() <= Strength::Weak;
        let winner = is_of_object.then(|| rank.object());
        let is_intermediate = winner.is_some_and(|winner| {
            let file = self.objects[winner].file;
            file.is_some_and(|file| self.stand_ins.contains_key(&file))
                && !self.is_common_of_code(winner, name)
        });
        let is_own = winner == Some(own) && is_intermediate;
        if matches!(kind, def::UNDEF | def::WEAK_UNDEF) || kind == def::COMMON && !is_own {
            let global = definitions.globals[name];
            return match winner {
                Some(_) if is_intermediate => Resolution::ResolvedIr,
                Some(_) => Resolution::ResolvedExec,
                None if self.late.contains(&name) => Resolution::Undefined,
                None if global.has(attr::SHARED) => Resolution::ResolvedDyn,
                None if global.has(attr::DEFINED) => Resolution::ResolvedExec,
                None => Resolution::Undefined,
            };
        }
        match winner {
            _ if self.assigned.contains(&name) => Resolution::PreemptedReg,
            Some(_) if is_own => self.prevailing(name),
            Some(_) if is_intermediate => Resolution::PreemptedIr,
            // An assignment of a script or an option defines the name.
            _ => Resolution::PreemptedReg,
        }
    }

    /// Whether a common symbol is in regular objects, too, and `winner`'s is not larger: then a
    /// regular object defines it, and no intermediate code.
    fn is_common_of_code(&self, winner: ObjectId, name: NameId) -> bool {
        let rank = self.definitions.ranks[name];
        let size = || self.objects[winner].mapped.symbols[rank.symbol()].st_size();
        rank.strength() == Strength::Common
            && self.commons.get(&name).is_some_and(|&of_code| of_code >= size())
    }

    /// The resolution of a symbol whose definition prevails.
    fn prevailing(&self, name: NameId) -> Resolution {
        let global = self.definitions.globals[name];
        if self.is_referred_to[name].load(Ordering::Relaxed) {
            return Resolution::PrevailingDef;
        }
        let is_visible = self.is_relocatable || global.has(attr::EXPORTED);
        if is_visible {
            Resolution::PrevailingDefIrOnlyExp
        } else {
            Resolution::PrevailingDefIrOnly
        }
    }
}

/// The names that a regular object refers to: those that it does not define, those of its commons,
/// which merge with definitions elsewhere, and those of its relocations. An object's own definition
/// that lost is no reference.
fn references_of<'a>(
    at: ObjectId,
    object: &'a ObjectFile,
    definitions: &'a Definitions,
    is_intermediate: &dyn Fn(ObjectId) -> bool,
) -> impl Iterator<Item = NameId> + 'a {
    let is_reference = |symbol: &Sym| symbol.st_shndx() == SHN_UNDEF || object.is_common(symbol);
    let has_lost = object.globals().any(|(_, symbol, name)| {
        let rank = definitions.ranks[name];
        !is_reference(symbol)
            && rank.strength() <= Strength::Weak
            && rank.object() != at
            && is_intermediate(rank.object())
    });
    let sections = has_lost.then(|| definitions.section_base.range_of(at).ids());
    let sections = sections.into_iter().flatten().map(|id| &definitions.sections[id]);
    let relocs = sections.flat_map(|section| object.relocs(section));
    let of_relocs = relocs.filter_map(|reloc| {
        (reloc.symbol() < object.mapped.symbols.end()).then(|| object.name_of(reloc.symbol()))?
    });
    let undefined = object.globals().filter(move |(_, symbol, _)| is_reference(symbol));
    undefined.map(|(_, _, name)| name).chain(of_relocs)
}

/// Functions that compilers call of their own accord, for loops and arithmetic that optimisation
/// replaces. If intermediate code defines one, the definition stays, because a call may come later.
pub const LIBRARY_CALLS: &[&str] = &[
    "memcpy",
    "memmove",
    "memset",
    "memcmp",
    "bcmp",
    "bzero",
    "strlen",
    "stpcpy",
    "strcpy",
    "strcat",
    "strchr",
    "strnlen",
    "memchr",
    "mempcpy",
    "puts",
    "putchar",
    "fwrite",
    "fputc",
    "printf",
    "abort",
    "__stack_chk_fail",
    "__stack_chk_guard",
    "__udivti3",
    "__divti3",
    "__modti3",
    "__umodti3",
    "__udivmodti4",
    "__divmodti4",
    "__multi3",
    "__ashlti3",
    "__ashrti3",
    "__lshrti3",
    "__muloti4",
    "__mulodi4",
    "__popcountdi2",
    "__popcountti2",
    "__clzti2",
    "__ctzti2",
    "__ffsti2",
    "__bswapdi2",
    "__bswapsi2",
    "__powidf2",
    "__powisf2",
    "__powixf2",
    "__powitf2",
    "__mulxc3",
    "__muldc3",
    "__mulsc3",
    "__multc3",
    "__divdc3",
    "__divsc3",
    "__divxc3",
    "__divtc3",
    "__addtf3",
    "__subtf3",
    "__multf3",
    "__divtf3",
    "__negtf2",
    "__eqtf2",
    "__netf2",
    "__lttf2",
    "__letf2",
    "__gttf2",
    "__getf2",
    "__unordtf2",
    "__fixtfdi",
    "__fixtfsi",
    "__fixtfti",
    "__fixunstfdi",
    "__fixunstfsi",
    "__fixunstfti",
    "__floatditf",
    "__floatsitf",
    "__floattitf",
    "__floatunditf",
    "__floatunsitf",
    "__floatuntitf",
    "__extenddftf2",
    "__extendsftf2",
    "__extendxftf2",
    "__trunctfdf2",
    "__trunctfsf2",
    "__trunctfxf2",
    "__extendhfsf2",
    "__truncsfhf2",
    "__truncdfhf2",
    "__extendhfdf2",
    "__gnu_h2f_ieee",
    "__gnu_f2h_ieee",
    "__floattidf",
    "__floattisf",
    "__floattixf",
    "__floatuntidf",
    "__floatuntisf",
    "__floatuntixf",
    "__fixdfti",
    "__fixsfti",
    "__fixxfti",
    "__fixunsdfti",
    "__fixunssfti",
    "__fixunsxfti",
    "sqrt",
    "sqrtf",
    "sqrtl",
    "pow",
    "powf",
    "powl",
    "exp",
    "expf",
    "expl",
    "exp2",
    "exp2f",
    "exp2l",
    "exp10",
    "exp10f",
    "exp10l",
    "log",
    "logf",
    "logl",
    "log2",
    "log2f",
    "log2l",
    "log10",
    "log10f",
    "log10l",
    "sin",
    "sinf",
    "sinl",
    "cos",
    "cosf",
    "cosl",
    "tan",
    "tanf",
    "sincos",
    "sincosf",
    "sincosl",
    "fmod",
    "fmodf",
    "fmodl",
    "floor",
    "floorf",
    "floorl",
    "ceil",
    "ceilf",
    "ceill",
    "trunc",
    "truncf",
    "truncl",
    "rint",
    "rintf",
    "rintl",
    "nearbyint",
    "nearbyintf",
    "nearbyintl",
    "round",
    "roundf",
    "roundl",
    "roundeven",
    "roundevenf",
    "roundevenl",
    "fma",
    "fmaf",
    "fmal",
    "fmin",
    "fminf",
    "fminl",
    "fmax",
    "fmaxf",
    "fmaxl",
    "copysign",
    "copysignf",
    "copysignl",
    "ldexp",
    "ldexpf",
    "ldexpl",
    "frexp",
    "frexpf",
    "frexpl",
    "lround",
    "lroundf",
    "lroundl",
    "llround",
    "llroundf",
    "llroundl",
    "lrint",
    "lrintf",
    "lrintl",
    "llrint",
    "llrintf",
    "llrintl",
    "cbrt",
    "__cxa_end_cleanup",
    "_Unwind_Resume",
    "__tls_get_addr",
    "__emutls_get_address",
    "__atomic_load",
    "__atomic_load_1",
    "__atomic_load_2",
    "__atomic_load_4",
    "__atomic_load_8",
    "__atomic_load_16",
    "__atomic_store",
    "__atomic_store_1",
    "__atomic_store_2",
    "__atomic_store_4",
    "__atomic_store_8",
    "__atomic_store_16",
    "__atomic_exchange",
    "__atomic_exchange_1",
    "__atomic_exchange_2",
    "__atomic_exchange_4",
    "__atomic_exchange_8",
    "__atomic_exchange_16",
    "__atomic_compare_exchange",
    "__atomic_compare_exchange_1",
    "__atomic_compare_exchange_2",
    "__atomic_compare_exchange_4",
    "__atomic_compare_exchange_8",
    "__atomic_compare_exchange_16",
    "__atomic_fetch_add_1",
    "__atomic_fetch_add_2",
    "__atomic_fetch_add_4",
    "__atomic_fetch_add_8",
    "__atomic_fetch_add_16",
    "__atomic_fetch_sub_1",
    "__atomic_fetch_sub_2",
    "__atomic_fetch_sub_4",
    "__atomic_fetch_sub_8",
    "__atomic_fetch_sub_16",
    "__atomic_fetch_and_1",
    "__atomic_fetch_and_2",
    "__atomic_fetch_and_4",
    "__atomic_fetch_and_8",
    "__atomic_fetch_and_16",
    "__atomic_fetch_or_1",
    "__atomic_fetch_or_2",
    "__atomic_fetch_or_4",
    "__atomic_fetch_or_8",
    "__atomic_fetch_or_16",
    "__atomic_fetch_xor_1",
    "__atomic_fetch_xor_2",
    "__atomic_fetch_xor_4",
    "__atomic_fetch_xor_8",
    "__atomic_fetch_xor_16",
];
