//! The tables that resolving makes of the inputs: files, names, objects and definitions. Most
//! messages need all of them.

use super::definitions::Definitions;
use super::extract::Extraction;
use crate::args::Options;
use crate::diagnose::location::display_name;
use crate::read::candidates::Candidates;
use crate::read::{ObjectId, Objects};
use skald_core::diag::Diag;
use skald_core::names::NameId;

/// The tables that messages are made from.
#[derive(Clone, Copy)]
pub struct Tables<'a> {
    /// The command line, with what scripts say of it.
    pub options: &'a Options,
    /// All files that the link knows, taken or not.
    pub candidates: &'a Candidates,
    /// Names, and which files refer to each.
    pub extraction: &'a Extraction,
    /// The objects that are taken, by id.
    pub objects: &'a Objects,
    /// Section records, and the definition of each name.
    pub definitions: &'a Definitions,
    /// Where errors and warnings go.
    pub diag: &'a Diag,
}

/// The tables without the definitions, which change until marking begins.
#[derive(Clone, Copy)]
pub struct Sources<'a> {
    /// The command line, with what scripts say of it.
    pub options: &'a Options,
    /// All files that the link knows, taken or not.
    pub candidates: &'a Candidates,
    /// Names, and which files refer to each.
    pub extraction: &'a Extraction,
    /// The objects that are taken, by id.
    pub objects: &'a Objects,
    /// Where errors and warnings go.
    pub diag: &'a Diag,
}

impl<'a> Sources<'a> {
    /// These tables with definitions.
    pub fn with<'b>(&self, definitions: &'b Definitions) -> Tables<'b>
    where
        'a: 'b,
    {
        Tables {
            options: self.options,
            candidates: self.candidates,
            extraction: self.extraction,
            objects: self.objects,
            definitions,
            diag: self.diag,
        }
    }
}

impl<'a> Tables<'a> {
    /// These tables without definitions.
    pub fn sources(&self) -> Sources<'a> {
        let &Tables { options, candidates, extraction, objects, diag, .. } = self;
        Sources { options, candidates, extraction, objects, diag }
    }

    /// What an object is called in messages.
    pub fn object_name(&self, object: ObjectId) -> String {
        let file = self.objects[object].file.expect("numbered when taken");
        self.candidates.display_name(file)
    }

    /// The text of a name.
    pub fn name(&self, name: NameId) -> &'static [u8] {
        self.extraction.pools.name(&self.extraction.names, name)
    }

    /// A name as messages print it: demangled if options ask for that.
    pub fn printed(&self, name: &[u8]) -> String {
        display_name(name, self.options.demangle).into_owned()
    }
}
