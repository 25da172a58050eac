//! By which rules objects sign pointers: messages about those that disagree or do not say.

use super::properties::Properties;
use super::property_note::PropertySet;
use crate::args::Report;
use crate::machine::property::{Signing, SigningSchema};
use crate::read::ObjectId;

/// What was seen of the objects so far, in their order.
pub(super) struct SigningCheck<'a> {
    signing: &'a Signing,
    /// The first object that says it.
    first: Option<(ObjectId, SigningSchema)>,
    /// Objects that say something else.
    others: Vec<(ObjectId, SigningSchema)>,
    /// Objects that do not say it.
    silent: Vec<ObjectId>,
    /// Objects that do not sign return addresses.
    plain: Vec<ObjectId>,
}

impl<'a> SigningCheck<'a> {
    /// Before the first object.
    pub(super) fn new(signing: &'a Signing) -> SigningCheck<'a> {
        let (others, silent, plain) = Default::default();
        SigningCheck { signing, first: None, others, silent, plain }
    }

    /// Notes what the object `at` says, whose properties are `set`.
    pub(super) fn visit(&mut self, link: &Properties<'_>, at: ObjectId, set: &PropertySet) {
        let features = link.options.machine.properties.features.as_ref();
        let bits = features.map_or(0, |features| set.bits(features.pr_type));
        if bits & self.signing.calls == 0 {
            self.plain.push(at);
        }
        match (set.schema(), self.first) {
            (None, _) => self.silent.push(at),
            (Some(schema), None) => self.first = Some((at, schema)),
            (Some(schema), Some((_, first))) if schema == first => {}
            (Some(schema), Some(_)) => self.others.push((at, schema)),
        }
    }

    /// Reports what is wrong, when all objects are seen; `joined` has the properties of all.
    pub(super) fn report(&self, link: &Properties<'_>, joined: &PropertySet) {
        let z = &link.options.z;
        if z.pac_plt && !joined.has_valid_schema() {
            for &at in &self.plain {
                let text = format!("{}: -z pac-plt: {}", link.file_name(at), self.signing.no_calls);
                link.diag.warn((at.into(), 0), text);
            }
        }
        let Some((first, schema)) = self.first else { return };
        self.report_silent(link, first);
        let title = self.signing.title;
        for &(at, other) in &self.others {
            let files = [link.file_name(first), link.file_name(at)];
            let [platforms, versions] =
                [[schema.platform, other.platform], [schema.version, other.version]].map(|both| {
                    let line = |at: usize| format!("\n>>> {}: {:#04x}", files[at], both[at]);
                    line(0) + &line(1)
                });
            let text = format!(
                "incompatible values of {title} found\nplatform:{platforms}\nversion:{versions}"
            );
            link.diag.error((at.into(), 0), text);
        }
    }

    /// Reports objects that do not say it although `first` does, if an option asks for that.
    fn report_silent(&self, link: &Properties<'_>, first: ObjectId) {
        let Signing { report: word, title, .. } = self.signing;
        let report = link.options.z.features.report(word);
        for &at in self.silent.iter().filter(|_| report != Report::None) {
            let (file, first) = (link.file_name(at), link.file_name(first));
            let text =
                format!("{file}: -z {word}: file does not have {title} while '{first}' has one");
            match report {
                Report::Error => link.diag.error((at.into(), 0), text),
                _ => link.diag.warn((at.into(), 0), text),
            }
        }
    }
}
