//! The layout of a package: for each `.dwo` file, the units that no earlier file has, and the
//! sections that its units share.

use super::index::{self, MAX, Place};
use super::rows::Contributions;
use super::split_units::SplitUnit;
use super::{DwoId, Form, Kind, Sizes};
use skald_core::ids::{Column, IdSlice};
use skald_core::unordered::UnorderedMap;
use skald_linking::byte_order::ByteOrder;

/// A `.dwo` file, as far as the layout depends on it.
pub struct DwoFile {
    /// Its units, by kind of section, section and offset.
    pub units: Vec<SplitUnit>,
    /// Sizes of its sections, summed up by kind.
    pub sizes: Sizes,
    /// If the file is a package, the contributions of each unit, by row; otherwise empty, and all
    /// units share all sections.
    pub rows: Vec<Contributions>,
}

/// A reason why no package can be made of the files.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Fault {
    /// One file has units of DWARF 5, the other of an older version.
    Mixed {
        /// The first file.
        first: DwoId,
        /// The other, which differs.
        other: DwoId,
    },
    /// Two compilation units have one id.
    Duplicate {
        /// The id of the unit.
        id: u64,
        /// The file that has it first.
        first: DwoId,
        /// The file that has it again, which may be the same.
        other: DwoId,
    },
    /// A file has a section of another version.
    Misplaced {
        /// The `.dwo` file.
        file: DwoId,
        /// The kind of section.
        kind: Kind,
    },
    /// A section of the package would be larger than the tables can express.
    TooLarge(Kind),
}

/// Units that stand together in a file and in the package.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Run {
    /// The `.dwo` file.
    pub file: DwoId,
    /// The kind of section: [`Kind::Info`] or [`Kind::Types`].
    pub kind: Kind,
    /// Which section of this kind.
    pub section: u32,
    /// Offset in this section.
    pub source: u64,
    /// Length in bytes.
    pub len: u64,
    /// Offset in the package's section.
    pub start: u64,
}

/// A unit of the package.
#[derive(Debug, Clone, Copy)]
struct Row {
    signature: u64,
    file: DwoId,
    kind: Kind,
    start: u64,
    len: u64,
    /// Its row in the tables of the file, if that is a package.
    row: Option<u32>,
}

/// A package, before its bytes are made.
pub struct Layout {
    /// The form of all units.
    pub form: Form,
    /// The runs of units to copy, in order.
    pub runs: Vec<Run>,
    /// Size of each section; not that of strings.
    pub sizes: Sizes,
    compile_units: Vec<Row>,
    type_units: Vec<Row>,
    /// Offsets and sizes of the sections that the units of a file share.
    shared: Column<DwoId, (Sizes, Sizes)>,
    /// [`DwoFile::rows`] of each file.
    rows: Column<DwoId, Vec<Contributions>>,
}

impl Layout {
    /// The package of `files`.
    ///
    /// # Errors
    /// All faults of the files.
    pub fn new(files: &IdSlice<DwoId, DwoFile>) -> Result<Layout, Vec<Fault>> {
        let mut form = None;
        let mut faults = Vec::new();
        for (id, file) in files.with_ids() {
            for unit in &file.units {
                let own = Form::of_version(unit.version);
                let (first, known) = *form.get_or_insert((id, own));
                let fault = Fault::Mixed { first, other: id };
                if known != own && faults.last() != Some(&fault) {
                    faults.push(fault);
                }
            }
        }
        if !faults.is_empty() {
            faults.truncate(1);
            return Err(faults);
        }
        let mut layout = Layout {
            form: form.map_or(Form::Dwarf5, |(_, form)| form),
            runs: Vec::new(),
            sizes: Sizes::default(),
            compile_units: Vec::new(),
            type_units: Vec::new(),
            shared: Column::default(),
            rows: files.iter().map(|file| file.rows.clone()).collect(),
        };
        layout.take_units(files, &mut faults);
        layout.take_shared(files, &mut faults);
        let is_large = |&kind: &Kind| layout.sizes.get(kind) > MAX;
        faults.extend(Kind::ALL.into_iter().filter(is_large).map(Fault::TooLarge));
        if faults.is_empty() { Ok(layout) } else { Err(faults) }
    }

    fn take_units(&mut self, files: &IdSlice<DwoId, DwoFile>, faults: &mut Vec<Fault>) {
        let mut compile_units = UnorderedMap::new();
        let mut types = UnorderedMap::new();
        for (file, DwoFile { units, .. }) in files.with_ids() {
            for unit in units {
                let seen = if unit.is_type { &mut types } else { &mut compile_units };
                let first = *seen.entry(unit.signature).or_insert((file, *unit));
                if first == (file, *unit) {
                    self.take_unit(file, unit);
                } else if !unit.is_type {
                    let (id, first) = (unit.signature, first.0);
                    faults.push(Fault::Duplicate { id, first, other: file });
                }
            }
        }
    }

    fn take_unit(&mut self, file: DwoId, unit: &SplitUnit) {
        let kind = if unit.is_in_types { Kind::Types } else { Kind::Info };
        let &SplitUnit { section, start: source, len, signature, .. } = unit;
        let size = self.sizes.get_mut(kind);
        let start = *size;
        *size += len;
        let rows = if unit.is_type { &mut self.type_units } else { &mut self.compile_units };
        rows.push(Row { signature, file, kind, start, len, row: unit.row });
        if let Some(run) = self.runs.last_mut()
            && (run.file, run.kind, run.section) == (file, kind, section)
            && (run.source + run.len, run.start + run.len) == (source, start)
        {
            run.len += len;
            return;
        }
        self.runs.push(Run { file, kind, section, source, len, start });
    }

    fn take_shared(&mut self, files: &IdSlice<DwoId, DwoFile>, faults: &mut Vec<Fault>) {
        for (file, DwoFile { sizes, .. }) in files.with_ids() {
            let mut starts = Sizes::default();
            for kind in Kind::ALL.into_iter().filter(|&kind| kind != Kind::Strings) {
                let len = sizes.get(kind);
                if len != 0 && kind.column(self.form).is_none() {
                    faults.push(Fault::Misplaced { file, kind });
                }
                if !kind.has_units() {
                    let size = self.sizes.get_mut(kind);
                    *starts.get_mut(kind) = *size;
                    *size += len;
                }
            }
            self.shared.push((starts, *sizes));
        }
    }

    /// The offset of a file's contribution to a section without units.
    pub fn start(&self, file: DwoId, kind: Kind) -> u64 {
        self.shared[file].0.get(kind)
    }

    /// `.debug_cu_index`; empty without compilation units.
    pub fn compile_unit_index(&self, order: ByteOrder) -> Vec<u8> {
        self.index(&self.compile_units, order)
    }

    /// `.debug_tu_index`; empty without type units.
    pub fn type_unit_index(&self, order: ByteOrder) -> Vec<u8> {
        self.index(&self.type_units, order)
    }

    fn index(&self, rows: &[Row], order: ByteOrder) -> Vec<u8> {
        let Some(first) = rows.first() else { return Vec::new() };
        let is_column = |&kind: &Kind| {
            let is_of_units = !kind.has_units() || kind == first.kind;
            is_of_units && self.sizes.get(kind) != 0
        };
        let columns: Vec<Kind> = Kind::ALL.into_iter().filter(is_column).collect();
        let signatures: Vec<u64> = rows.iter().map(|row| row.signature).collect();
        let place = |at: usize, kind: Kind| -> Place {
            let row = &rows[at];
            if kind.has_units() {
                return if kind == row.kind { (row.start, row.len) } else { (0, 0) };
            }
            let (starts, sizes) = &self.shared[row.file];
            let (own, sizes) = match row.row {
                Some(at) => self.rows[row.file].get(at as usize).copied().unwrap_or_default(),
                None => (Sizes::default(), *sizes),
            };
            match sizes.get(kind) {
                0 => (0, 0),
                len => (starts.get(kind) + own.get(kind), len),
            }
        };
        index::table(self.form, order, &signatures, &columns, place)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn unit(start: u64, signature: u64, is_type: bool) -> SplitUnit {
        SplitUnit {
            start,
            len: 10,
            signature,
            section: 0,
            is_type,
            is_in_types: false,
            version: 5,
            offset_size: 4,
            row: None,
        }
    }

    fn file(units: &[SplitUnit]) -> DwoFile {
        let mut sizes = Sizes::default();
        *sizes.get_mut(Kind::Info) = 10 * units.len() as u64;
        *sizes.get_mut(Kind::Abbreviations) = 3;
        DwoFile { units: units.to_vec(), sizes, rows: Vec::new() }
    }

    fn faults(files: &[DwoFile]) -> Vec<Fault> {
        Layout::new(IdSlice::new(files)).err().unwrap_or_default()
    }

    #[test]
    fn types_are_taken_once() {
        let first = file(&[unit(0, 7, true), unit(10, 1, false)]);
        let second = file(&[unit(0, 8, true), unit(10, 7, true), unit(20, 2, false)]);
        let layout =
            Layout::new(IdSlice::new(&[first, second])).unwrap_or_else(|_| panic!("a package"));
        let run = |file, source, len, start| Run {
            file: DwoId::new(file),
            kind: Kind::Info,
            section: 0,
            source,
            len,
            start,
        };
        assert_eq!(layout.runs, [run(0, 0, 20, 0), run(1, 0, 10, 20), run(1, 20, 10, 30)]);
        assert_eq!(layout.sizes.get(Kind::Info), 40);
        assert_eq!(layout.sizes.get(Kind::Abbreviations), 6);
        assert_eq!(layout.start(DwoId::new(1), Kind::Abbreviations), 3);
        // Header, four slots, two columns, two rows.
        assert_eq!(layout.compile_unit_index(ByteOrder::Little).len(), 16 + 4 * 12 + 8 + 2 * 2 * 8);
        assert_eq!(layout.type_unit_index(ByteOrder::Little).len(), 16 + 4 * 12 + 8 + 2 * 2 * 8);
    }

    #[test]
    fn what_makes_no_package() {
        let (first, other) = (DwoId::new(0), DwoId::new(1));
        let one = || file(&[unit(0, 1, false)]);
        let old = SplitUnit { version: 4, ..unit(0, 2, false) };
        assert_eq!(faults(&[one(), file(&[old, old])]), [Fault::Mixed { first, other }]);
        assert_eq!(faults(&[one(), one()]), [Fault::Duplicate { id: 1, first, other }]);
        let mut large = file(&[unit(0, 2, false)]);
        *large.sizes.get_mut(Kind::Lines) = MAX + 1;
        *large.sizes.get_mut(Kind::Macinfo) = 1;
        let misplaced = Fault::Misplaced { file: other, kind: Kind::Macinfo };
        assert_eq!(faults(&[one(), large]), [misplaced, Fault::TooLarge(Kind::Lines)]);
        assert!(faults(&[]).is_empty());
    }
}
