//! The words of `-z` about features that the machine defines in `.note.gnu.property`. The machine
//! defines which bits a word stands for.

/// How a missing feature is reported.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Report {
    /// Nothing is reported.
    #[default]
    None,
    /// A warning is reported.
    Warning,
    /// An error is reported.
    Error,
}

/// The words that were given.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct FeatureWords {
    /// Words that give features to the output, whatever objects have; each once.
    given: Vec<&'static str>,
    /// Words that take features from the output, whatever objects have; each once.
    taken: Vec<&'static str>,
    /// Words that ask for reports of objects without a feature; each once.
    reports: Vec<(&'static str, Report)>,
}

impl FeatureWords {
    /// Notes a word that gives features to the output.
    pub fn give(&mut self, word: &'static str) {
        self.forget(word);
        self.given.push(word);
    }

    /// Notes a word that takes features from the output.
    pub fn take(&mut self, word: &'static str) {
        self.forget(word);
        self.taken.push(word);
    }

    /// Leaves what a word gives or takes to the objects.
    pub fn forget(&mut self, word: &str) {
        self.given.retain(|&given| given != word);
        self.taken.retain(|&taken| taken != word);
    }

    /// Notes how a word asks for reports; if there are several, the last holds.
    pub fn ask(&mut self, word: &'static str, report: Report) {
        self.reports.retain(|&(asked, _)| asked != word);
        self.reports.push((word, report));
    }

    /// Whether a word that gives features to the output was given.
    pub fn has(&self, word: &str) -> bool {
        self.given.contains(&word)
    }

    /// Whether a word that takes features from the output was given.
    pub fn takes(&self, word: &str) -> bool {
        self.taken.contains(&word)
    }

    /// How a word asks for reports.
    pub fn report(&self, word: &str) -> Report {
        self.asked(word).unwrap_or_default()
    }

    /// Likewise; `None` if it was not given.
    pub fn asked(&self, word: &str) -> Option<Report> {
        let asked = self.reports.iter().find(|(asked, _)| *asked == word);
        asked.map(|&(_, report)| report)
    }
}
