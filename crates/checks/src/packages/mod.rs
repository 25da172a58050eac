//! `cargo xtask test --packages [NAME...]`: builds and tests Debian's packages, with all their
//! links done by the linker under test.
//!
//! Each is built as Debian builds it, `dpkg-buildpackage -b` with its test suite, under `LINKER
//! -run`, by an unprivileged user, within [`TIME_LIMIT_MINUTES`]. A package that fails is built
//! with GNU ld as well: if it fails in the same way, the linker is not the cause. The outputs prove
//! that the linker did link ([`outputs`]). Every executable and library in the packages must carry
//! its stamp or, as those are stripped, the build id of a file that does. `--verify` is run on all
//! of them.
//!
//! It takes hours, so results are kept in `~/.cache/skald-packages` for each build of the linker
//! and not repeated. Build dependencies are installed if the user may do so; nothing is ever
//! removed for them.

mod build;
mod failures;
mod list;
mod outputs;
mod record;
mod source;

use crate::Result;
use build::Build;
use failures::Failures;
use list::{PACKAGES, Package};
use outputs::Outputs;
use record::{Ended, Record, Records};
use skald_testkit::suite::Counts;
use source::Sources;
use std::path::{Path, PathBuf};
use std::time::Instant;

/// A build that takes longer ends as a failure.
const TIME_LIMIT_MINUTES: u32 = 20;

/// Where packages are built. The user who builds them cannot read another user's home.
const BUILDS: &str = "/var/tmp/skald-packages";

/// Builds the packages called `names`, or all of the list; an error only if nothing can be built at
/// all.
pub fn run(linker: &Path, names: &[String]) -> Result<Counts> {
    let wanted = wanted(names)?;
    let cache = cache();
    let digest = digest(linker)?;
    let sources = match Sources::new(&cache) {
        Ok(sources) => sources,
        Err(reason) => {
            println!("packages: skipped: {reason}");
            return Ok(Counts { skipped: wanted.len(), ..Counts::default() });
        }
    };
    let linker = install(linker, &digest)?;
    let records = Records::new(&cache.join("results").join(&digest))?;
    let place = Place { linker, sources, cache };
    let mut table = Vec::new();
    for package in wanted {
        let record = match records.read(package.name) {
            Some(record) => record,
            None => {
                let record = place.build(package);
                records.write(package.name, &record)?;
                record
            }
        };
        println!("{}", record.line(package));
        table.push((package, record));
    }
    let text = record::markdown(&table);
    std::fs::write(place.cache.join("table.md"), &text).map_err(|e| format!("table.md: {e}"))?;
    println!("\n{text}");
    let count = |is: fn(&Ended) -> bool| table.iter().filter(|(_, r)| is(&r.ended)).count();
    let skipped = count(|ended| matches!(ended, Ended::Skipped(_)));
    let failed = count(|ended| matches!(ended, Ended::Failed(_)));
    Ok(Counts { passed: table.len() - skipped - failed, failed, skipped })
}

fn wanted(names: &[String]) -> Result<Vec<&'static Package>> {
    if names.is_empty() {
        return Ok(PACKAGES.iter().collect());
    }
    let find = |name: &String| {
        let found = PACKAGES.iter().find(|package| package.name == name);
        found.ok_or_else(|| format!("{name} is not among the packages of the list"))
    };
    names.iter().map(find).collect()
}

/// Where sources, logs and results are kept.
fn cache() -> PathBuf {
    xtask::corpus::default_cache().with_file_name("skald-packages")
}

/// A digest that distinguishes builds of the linker.
fn digest(linker: &Path) -> Result<String> {
    let mut command = std::process::Command::new("sha256sum");
    let text = xtask::corpus::tools::run(command.arg(linker))?;
    let digest = text.split_whitespace().next().unwrap_or_default();
    Ok(digest.chars().take(16).collect())
}

/// Copies the linker to where every user can run it.
fn install(linker: &Path, digest: &str) -> Result<PathBuf> {
    use std::os::unix::fs::PermissionsExt;
    let directory = Path::new(BUILDS).join("bin").join(digest);
    let path = directory.join("skald");
    let io = |e: std::io::Error| format!("{}: {e}", path.display());
    std::fs::create_dir_all(&directory).map_err(io)?;
    let _ = std::fs::remove_file(&path);
    std::fs::copy(linker, &path).map_err(io)?;
    std::fs::set_permissions(&path, std::fs::Permissions::from_mode(0o755)).map_err(io)?;
    Ok(path)
}

/// The settings of all builds.
struct Place {
    linker: PathBuf,
    sources: Sources,
    cache: PathBuf,
}

impl Place {
    /// Builds `package`; returns its record.
    fn build(&self, package: &Package) -> Record {
        let start = Instant::now();
        let directory = Path::new(BUILDS).join(package.name);
        let mut record = Record::default();
        record.ended =
            self.try_to_build(package, &directory, &mut record).unwrap_or_else(Ended::Skipped);
        record.seconds = start.elapsed().as_secs();
        // The tree of a failed build is kept for inspection.
        if !matches!(record.ended, Ended::Failed(_)) {
            let _ = std::fs::remove_dir_all(&directory);
        }
        record
    }

    /// An error says why the package cannot be built on this machine with any linker.
    fn try_to_build(
        &self,
        package: &Package,
        directory: &Path,
        record: &mut Record,
    ) -> Result<Ended> {
        record.version = self.sources.fetch(package.name)?;
        self.sources.install_dependencies(package.name)?;
        let build = self.run(package, directory, Some(&self.linker))?;
        if build.is_done {
            return self.look(package, directory, record);
        }
        let failures = Failures::of(&build.text);
        // The tree of the failed build is left for inspection.
        let without = directory.with_extension("gnu");
        let reference = self.run(package, &without, None);
        let _ = std::fs::remove_dir_all(&without);
        let reference = reference?;
        if !reference.is_done {
            let known = Failures::of(&reference.text);
            let only_here = failures.without(&known);
            return Ok(if only_here.is_empty() {
                Ended::SameFailure(failures.to_string())
            } else {
                Ended::Failed(format!("only with this linker: {only_here}"))
            });
        }
        // A test that fails only now and then says nothing about the linker.
        let again = self.run(package, directory, Some(&self.linker))?;
        if again.is_done {
            record.note = format!("the second time; first: {failures}");
            self.look(package, directory, record)
        } else {
            Ok(Ended::Failed(format!("only with this linker: {}", Failures::of(&again.text))))
        }
    }

    /// One build, by `linker` or by the system's, whose log is kept.
    fn run(&self, package: &Package, directory: &Path, linker: Option<&Path>) -> Result<Build> {
        let source = self.sources.unpack(package.name, directory)?;
        let word = if linker.is_some() { "" } else { ".gnu" };
        let log = self.cache.join("logs").join(format!("{}{word}.log", package.name));
        build::run(&source, linker, &log)
    }

    /// Checks the outputs of a build.
    fn look(&self, package: &Package, directory: &Path, record: &mut Record) -> Result<Ended> {
        let outputs = Outputs::find(directory)?;
        record.stamped = outputs.stamped.len();
        record.shipped = outputs.shipped.len();
        let findings = outputs.verify(&self.linker)?;
        record.findings = findings.len();
        let list = self.cache.join("logs").join(format!("{}.verify", package.name));
        std::fs::write(&list, findings.join("\n"))
            .map_err(|e| format!("{}: {e}", list.display()))?;
        Ok(match outputs.unproven() {
            _ if outputs.stamped.is_empty() => {
                Ended::Failed("no output has the linker's stamp".to_owned())
            }
            Some(path) => Ended::Failed(format!("{path} was not linked by this linker")),
            None if !findings.is_empty() => Ended::Failed(findings[0].clone()),
            None => Ended::Passed,
        })
    }
}
