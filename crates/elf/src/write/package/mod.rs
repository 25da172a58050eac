//! `--dwp`: the package of the `.dwo` files that the program's skeleton units name, written beside
//! the program, for debuggers that do not find the files where they were made.
//!
//! [`skeletons`] finds the names in the objects that are linked. All files are opened and checked
//! ([`dwo_file`]) before the output is created, so that an error in one of them leaves the old
//! output alone. They are read again when the package is written ([`package_file`]). The DWARF
//! format of packages is in `dwarf/package`.

pub(in crate::write) mod dwo_file;
mod package_file;
mod skeletons;

use crate::args::Options;
use crate::machine::Machine;
use crate::read::ObjectId;
use crate::resolve::tables::Tables;
use crate::synth::image::Image;
use dwo_file::DwoFile;
use skald_core::diag::{Error, Failed, Result, WHOLE_LINK};
use skald_core::hash::HashKey;
use skald_core::ids::{Column, IdSlice};
use skald_core::output::Output;
use skald_core::par::prelude::*;
use skald_core::time::Timer;
use skald_core::unordered::UnorderedMap;
use skald_dwarf::package::layout::{Fault, Layout};
use skald_dwarf::package::strings::{HashedStrings, Strings};
use skald_dwarf::package::{DwoId, Kind, layout};
use skeletons::Skeleton;
use std::path::Path;

/// A package, before it is written.
pub struct Package<'a> {
    options: &'a Options,
    timer: &'a Timer,
    path: &'a Path,
    files: Column<DwoId, DwoFile>,
    layout: Layout,
    strings: Strings,
}

/// The package that `--dwp` asks for; faults of the files are reported.
pub fn plan<'a>(
    tables: &Tables<'a>,
    image: &Image<'_>,
    timer: &'a Timer,
) -> std::result::Result<Option<Package<'a>>, Failed> {
    let &Tables { options, candidates, diag, .. } = tables;
    let Some(path) = &options.dwp else { return Ok(None) };
    let _phase = timer.phase("files of the package");
    let name = |object: ObjectId| {
        let file = image.objects[object].file.expect("numbered when taken");
        ((u64::from(file.number()), 0), candidates.display_name(file))
    };
    let (skeletons, faults) = skeletons::find(image, options);
    for (object, fault) in faults {
        let (key, name) = name(object);
        diag.error(key, format!("{name}: {fault}"));
    }
    let named = group(&skeletons);
    let opened: Vec<_> = named
        .par_iter()
        .with_max_len(1)
        .map(|(path, named)| open(path, named, &skeletons, image.machine))
        .collect();
    let mut files = Column::default();
    let mut known = Vec::new();
    for opened in opened {
        match opened {
            Ok((file, units)) => {
                files.push(file);
                known.push(units);
            }
            Err((object, Error(fault))) => {
                let (key, name) = name(object);
                diag.error(key, format!("{name}: {fault}"));
            }
        }
    }
    diag.checkpoint()?;
    let planned = merge(&files, &known);
    let package = planned.map_err(|faults| {
        faults.into_iter().for_each(|Error(fault)| diag.error(WHOLE_LINK, fault));
        diag.checkpoint().err().unwrap_or(Failed)
    });
    let (layout, strings) = package?;
    Ok(Some(Package { options, timer, path, files, layout, strings }))
}

/// The files that skeletons name, each with the positions of its skeletons, in order.
fn group(skeletons: &[Skeleton]) -> Vec<(&Path, Vec<usize>)> {
    let mut named: Vec<(&Path, Vec<usize>)> = Vec::new();
    let mut known = UnorderedMap::new();
    for (at, skeleton) in skeletons.iter().enumerate() {
        let path = skeleton.path.as_path();
        let position = *known.entry(path).or_insert(named.len());
        match named.get_mut(position) {
            Some((_, all)) => all.push(at),
            None => named.push((path, vec![at])),
        }
    }
    named
}

type Opened = std::result::Result<(DwoFile, layout::DwoFile), (ObjectId, Error)>;

/// Opens a file and looks up the units that skeletons expect in it.
fn open(path: &Path, named: &[usize], skeletons: &[Skeleton], machine: &'static Machine) -> Opened {
    let mut named = named.iter().filter_map(|&at| skeletons.get(at)).peekable();
    let first = named.peek().map_or(ObjectId::new(0), |skeleton| skeleton.object);
    let read = || {
        let mut file = DwoFile::open(path, machine)?;
        let units = file.units()?;
        Ok((file, units))
    };
    let (file, units) = read().map_err(|fault| (first, fault))?;
    let mut ids: Vec<u64> = Vec::new();
    ids.extend(units.units.iter().filter(|unit| !unit.is_type).map(|unit| unit.signature));
    ids.sort();
    for skeleton in named {
        if ids.binary_search(&skeleton.dwo_id).is_err() {
            let fault =
                format!("{}: has no unit with id {:#018x}", path.display(), skeleton.dwo_id);
            return Err((skeleton.object, Error(fault)));
        }
    }
    Ok((file, units))
}

/// Lays out the package, and merges the strings of its files.
fn merge(
    files: &IdSlice<DwoId, DwoFile>,
    known: &[layout::DwoFile],
) -> std::result::Result<(Layout, Strings), Vec<Error>> {
    let said = |fault| Error(text(fault, files));
    let layout = Layout::new(IdSlice::new(known))
        .map_err(|faults| faults.into_iter().map(said).collect::<Vec<_>>())?;
    let key = HashKey::random();
    let hashed: Vec<Result<HashedStrings>> =
        files.par_iter().with_max_len(1).map(|file| file.hash(&key, layout.form)).collect();
    let hashed: Result<Vec<HashedStrings>> = hashed.into_iter().collect();
    let strings = Strings::merge(hashed.map_err(|fault| vec![fault])?);
    if strings.size > u64::from(u32::MAX) {
        return Err(vec![said(Fault::TooLarge(Kind::Strings))]);
    }
    Ok((layout, strings))
}

/// The message for a fault of files.
fn text(fault: Fault, files: &IdSlice<DwoId, DwoFile>) -> String {
    let name = |file: DwoId| files[file].path().display();
    match fault {
        Fault::Mixed { first, other } => format!(
            "--dwp: {} and {} have different DWARF versions: a package is for DWARF 5 or for \
             older versions, not for both",
            name(first),
            name(other)
        ),
        Fault::Duplicate { id, first, other } => {
            format!(
                "--dwp: {} and {} have units with the same id {id:#018x}",
                name(first),
                name(other)
            )
        }
        Fault::Misplaced { file, kind } => format!(
            "--dwp: {}: has a section {} that packages of its DWARF version have no place for",
            name(file),
            kind.section_name()
        ),
        Fault::TooLarge(kind) => format!(
            "--dwp: {} of all files has more than 4 GiB, which is what packages hold",
            kind.section_name()
        ),
    }
}

impl Package<'_> {
    /// The paths of the `.dwo` files.
    pub fn paths(&self) -> impl Iterator<Item = &Path> {
        self.files.iter().map(|file| file.path())
    }

    /// Writes the package; the caller gives it its name.
    ///
    /// # Errors
    /// If it cannot be written.
    pub fn write(&self) -> Result<Output> {
        let _phase = self.timer.phase("package");
        package_file::write(self)
    }
}
