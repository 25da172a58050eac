//! The command line of a compilation: the options of LLVM's plugin, translated to those of clang.

use super::PluginOptions;
use crate::args::{Distributor, OutputKind};
use crate::lto::{plugin_search, producer};
use skald_core::diag::{Diag, WHOLE_LINK};
use skald_host::input;
use std::path::{Path, PathBuf};

/// The part of the command line that all jobs share.
pub struct Backend {
    /// The compiler, and its arguments.
    pub arguments: Vec<String>,
    /// Files that each compilation reads in addition to those of its job.
    pub inputs: Vec<PathBuf>,
}

/// Options of the plugin that concern the index, or the handling of objects.
const NOT_FOR_COMPILERS: [&str; 12] = [
    "thinlto",
    "jobs=",
    "cache-dir=",
    "cache-policy=",
    "obj-path=",
    "save-temps",
    "lto-partitions=",
    "lto-O",
    "whole-program-visibility",
    "validate-all-vtables-have-type-infos",
    "known-safe-vtables=",
    "disable-verify",
];

/// Options of LLVM's code generator for which clang has options of its own, to turn them on and
/// off. clang does not accept these as `-mllvm`.
const SWITCHES: [(&str, (&str, &str)); 8] = [
    ("-function-sections", ("-fno-function-sections", "-ffunction-sections")),
    ("-data-sections", ("-fno-data-sections", "-fdata-sections")),
    ("-unique-section-names", ("-fno-unique-section-names", "-funique-section-names")),
    (
        "-unique-basic-block-section-names",
        ("-fno-unique-basic-block-section-names", "-funique-basic-block-section-names"),
    ),
    ("-basic-block-address-map", ("-fno-basic-block-address-map", "-fbasic-block-address-map")),
    ("-emulated-tls", ("-fno-emulated-tls", "-femulated-tls")),
    ("-enable-tlsdesc", ("-mtls-dialect=gnu", "-mtls-dialect=gnu2")),
    ("-relax-elf-relocations", ("-Wa,-mrelax-relocations=no", "-Wa,-mrelax-relocations=yes")),
];

/// clang's option for an option of the code generator that is on or off.
fn switch(option: &str) -> Option<(&'static str, &'static str)> {
    let name = option.split('=').next()?;
    SWITCHES.iter().find(|(own, _)| *own == name).map(|(_, words)| *words)
}

impl Backend {
    /// The command line for modules; their target is that of `module`.
    ///
    /// # Errors
    /// A message if there is no compiler.
    pub fn new(
        distributor: &Distributor,
        kind: OutputKind,
        told: &PluginOptions<'_>,
        module: &[u8],
        diag: &Diag,
    ) -> Result<Backend, String> {
        let compiler = match &distributor.compiler {
            Some(compiler) => compiler.clone(),
            None => plugin_search::compiler(told.plugin).ok_or_else(|| {
                "there is no compiler for distributed ThinLTO: name one by \
                 --thinlto-remote-compiler"
                    .to_owned()
            })?,
        };
        let compiler = compiler.to_str().ok_or("the compiler's path is not UTF-8")?.to_owned();
        let mut backend = Backend { arguments: vec![compiler], inputs: Vec::new() };
        backend.arguments.extend_from_slice(&distributor.first_arguments);
        backend.add(&["-c", "-x", "ir"]);
        if let Some(triple) = producer::triple(module) {
            backend.arguments.push(format!("--target={triple}"));
        }
        match kind {
            OutputKind::Executable => backend.add(&["-fno-pic"]),
            OutputKind::Shared | OutputKind::PieExecutable => backend.add(&["-fPIC"]),
            OutputKind::Relocatable => {}
        }
        // The plugin's default level, unless an option gives another.
        let has_level = told.options.iter().any(|option| level(option).is_some());
        backend.add(if has_level { &[] } else { &["-O2"] });
        if kind != OutputKind::Relocatable {
            backend.add(&["-ffunction-sections", "-fdata-sections"]);
        }
        told.options.iter().for_each(|option| backend.translate(option, diag));
        backend.add(&["-Wno-unused-command-line-argument"]);
        backend.arguments.extend_from_slice(&distributor.last_arguments);
        Ok(backend)
    }

    fn add(&mut self, words: &[&str]) {
        self.arguments.extend(words.iter().map(|&word| word.to_owned()));
    }

    /// Adds the translation of an option of the plugin.
    fn translate(&mut self, option: &str, diag: &Diag) {
        let value = |name: &str| option.strip_prefix(name);
        let is_on = |option: &str| !option.ends_with("=0") && !option.ends_with("=false");
        if let Some(level) = level(option) {
            self.arguments.push(format!("-O{level}"));
        } else if let Some(cpu) = value("mcpu=") {
            self.add(&["-Xclang", "-target-cpu", "-Xclang", cpu]);
        } else if let Some(features) = value("mattr=").or_else(|| value("-mattr=")) {
            features.split(',').for_each(|feature| {
                self.add(&["-Xclang", "-target-feature", "-Xclang", feature]);
            });
        } else if let Some((off, on)) = switch(option) {
            self.add(&[if is_on(option) { on } else { off }]);
        } else if let Some(sections) = value("-basic-block-sections=") {
            self.arguments.push(format!("-fbasic-block-sections={sections}"));
        } else if let Some(debugger) = value("-debugger-tune=") {
            self.arguments.extend(["-Xclang".to_owned(), format!("-debugger-tuning={debugger}")]);
        } else if let Some(profile) = value("sample-profile=") {
            self.arguments.push(format!("-fprofile-sample-use={profile}"));
            self.inputs.push(profile.into());
        } else if let Some(profile) = value("cs-profile-path=") {
            self.arguments.push(format!("-fprofile-use={profile}"));
            self.inputs.push(profile.into());
        } else if value("-pass-through=").is_some() {
            // Options for libraries concern the linker.
        } else if option.starts_with('-') {
            self.add(&["-mllvm", option]);
        } else if !NOT_FOR_COMPILERS.iter().any(|name| option.starts_with(name)) {
            let text = format!("the option {option} does not reach distributed compilations");
            diag.warn(WHOLE_LINK, text);
        }
    }

    /// A digest of the command line and, if the compiler is on this machine, of its size and
    /// modification time.
    pub fn digest(&self) -> u128 {
        let mut digest = skald_core::digest::SpanDigest::new();
        for word in &self.arguments {
            digest.update(&word.len().to_le_bytes());
            digest.update(word.as_bytes());
        }
        let compiler = self.arguments.first().map(Path::new);
        if let Some(file) = compiler.and_then(|path| input::status(path).ok()) {
            digest.update(&file.size.to_le_bytes());
            digest.update(&file.modified.0.to_le_bytes());
        }
        digest.finish()
    }
}

/// The optimization level in `O2`.
fn level(option: &str) -> Option<&str> {
    let level = option.strip_prefix('O')?;
    matches!(level, "0" | "1" | "2" | "3" | "s" | "z").then_some(level)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn options_of_the_code_generator_are_clangs() {
        let options = [
            "O1",
            "mcpu=x86-64-v2",
            "-function-sections=0",
            "-enable-tlsdesc",
            "-inline-threshold=7",
            "jobs=3",
            "sample-profile=p",
        ]
        .map(str::to_owned);
        let told = PluginOptions { plugin: Path::new("none"), options: &options };
        let distributor = Distributor { compiler: Some("cc".into()), ..Distributor::default() };
        let diag = Diag::new(skald_core::diag::Style::default());
        let kind = OutputKind::Shared;
        let backend = Backend::new(&distributor, kind, &told, b"", &diag).expect("a compiler");
        let line = backend.arguments.join(" ");
        assert_eq!(
            line,
            "cc -c -x ir -fPIC -ffunction-sections -fdata-sections -O1 -Xclang -target-cpu -Xclang \
             x86-64-v2 -fno-function-sections -mtls-dialect=gnu2 -mllvm -inline-threshold=7 \
             -fprofile-sample-use=p -Wno-unused-command-line-argument"
        );
        assert_eq!(backend.inputs, [PathBuf::from("p")]);
    }
}
