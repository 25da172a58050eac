//! `--print-setup`: lines that make a build use this program, with the paths of this system.
//!
//! Compilers look for a program called `ld` in a directory that options give them. So the lines
//! name a directory that has this program under that name, from a package or made by hand. If there
//! is none, the first lines create one.
//!
//! Commands are printed for a shell to evaluate, and settings as text for the build's files.
//! Everything else stands behind `#`, which begins a comment in all of these files.

use crate::args::settle::Environment;
use skald_host::input;
use std::ffi::OsStr;
use std::path::{Path, PathBuf};

/// The builds, as `--print-setup` takes them.
pub const BUILDS: &str = "gcc|clang|cargo|cmake|meson|go|bazel";

/// Where packages and users put the program as `ld`, relative to the program's directory.
const NEAR: [&str; 4] = [".", "../libexec/skald", "../lib/skald", "ld"];
/// Usual directories for it, wherever the program is.
const USUAL: [&str; 3] = ["/usr/libexec/skald", "/usr/local/libexec/skald", "/usr/local/lib/skald"];
/// The directory below the user's home directory, which is created if there is none.
const OWN: &str = ".local/lib/skald";

/// The lines for one of [`BUILDS`]; the program was called `called`.
pub fn text(build: &str, called: &OsStr, environment: Environment<'_>) -> String {
    lines(build, &Place::find(called, environment))
}

/// Where the program is installed.
struct Place {
    program: PathBuf,
    /// The directory that holds the program as `ld`, or will hold it.
    directory: PathBuf,
    is_there: bool,
}

impl Place {
    fn find(called: &OsStr, environment: Environment<'_>) -> Place {
        let called = as_called(Path::new(called), environment);
        // Without /proc only the name is known.
        let program = std::env::current_exe().and_then(|path| path.canonicalize());
        let program = program.unwrap_or_else(|_| called.clone());
        let home = environment("HOME").map(|home| Path::new(&home).join(OWN));
        let parents = [&called, &program].map(|path| path.parent().map(Path::to_owned));
        let near = parents.iter().flatten().flat_map(|parent| NEAR.map(|near| parent.join(near)));
        let all = near.chain(home.clone()).chain(USUAL.map(PathBuf::from));
        let mut holding = all.filter(|directory| is_same(&directory.join("ld"), &program));
        if let Some(directory) = holding.find_map(|directory| plain(&directory)) {
            return Place { program, directory, is_there: true };
        }
        let own = home.filter(|home| home.is_absolute() && is_plain(home));
        let directory = own.unwrap_or_else(|| PathBuf::from(USUAL[2]));
        Place { program, directory, is_there: false }
    }
}

/// The path that the program was called by: a name alone was found in `PATH`.
fn as_called(called: &Path, environment: Environment<'_>) -> PathBuf {
    if called.components().count() > 1 {
        return std::path::absolute(called).unwrap_or_else(|_| called.to_owned());
    }
    let path = environment("PATH").unwrap_or_default();
    let mut found = std::env::split_paths(&path).map(|directory| directory.join(called));
    found.find(|program| program.is_file()).unwrap_or_else(|| called.to_owned())
}

/// Whether both paths are the same file.
fn is_same(one: &Path, other: &Path) -> bool {
    let id = |path: &Path| input::status(path).map(|file| file.identity).ok();
    id(one).is_some_and(|one| id(other) == Some(one))
}

/// The directory without `..`, if it can be used in a build's files.
fn plain(directory: &Path) -> Option<PathBuf> {
    // The path as it was called is preferred if it has no `..`, because a symbolic link may outlive
    // its target.
    let has_steps = directory.components().any(|part| part.as_os_str() == "..");
    let path =
        if has_steps { directory.canonicalize().ok()? } else { directory.components().collect() };
    is_plain(&path).then_some(path)
}

/// Whether the path has no characters that are special to a shell, make, Go or CMake. Most of them
/// split options at blanks, and there is no quoting that all of them understand.
fn is_plain(path: &Path) -> bool {
    let is_plain = |byte: &u8| byte.is_ascii_alphanumeric() || b"/._+-@".contains(byte);
    path.as_os_str().as_encoded_bytes().iter().all(is_plain)
}

fn lines(build: &str, place: &Place) -> String {
    let directory = place.directory.display();
    let machine = std::env::consts::ARCH;
    let is_shell = ["gcc", "clang", "cmake", "go"].contains(&build);
    let mut text = String::new();
    if !place.is_there {
        let mark = if is_shell { "" } else { "#   " };
        let program = quoted(&place.program.to_string_lossy());
        text += &format!(
            "# No directory holds this program as ld. To make one:\n\
             {mark}mkdir -p {directory}\n{mark}ln -sf {program} {directory}/ld\n"
        );
    }
    text + &match build {
        "gcc" => format!(
            "# gcc and g++ by hand: gcc -B{directory} ...\n\
             # Of what configure, make, CMake in a new directory and Meson call:\n\
             export LDFLAGS=-B{directory}\n"
        ),
        "clang" => format!(
            "# clang and clang++ by hand: clang --ld-path={directory}/ld ...\n\
             # Of what configure, make, CMake in a new directory and Meson call:\n\
             export LDFLAGS=--ld-path={directory}/ld\n"
        ),
        // When cargo compiles for its own machine it needs no target in the settings.
        "cargo" => format!(
            "# In ~/.cargo/config.toml, or .cargo/config.toml of a project. Before rustc 1.90 without\n\
             # -Clinker-features=-lld, which later ones need to let the C compiler choose the linker.\n\
             [target.{machine}-unknown-linux-gnu]\n\
             rustflags = [\"-Clinker-features=-lld\", \"-Clink-arg=-B{directory}\"]\n"
        ),
        "cmake" => {
            let kinds = ["EXE", "SHARED", "MODULE"];
            let flags = kinds.map(|kind| format!(" -DCMAKE_{kind}_LINKER_FLAGS=-B{directory}"));
            format!(
                "# Here, with gcc or clang, in a build directory that is new or not:\n\
                     cmake -S . -B build{}\n",
                flags.concat()
            )
        }
        "meson" => format!(
            "# In a file, say skald.ini, for a new build directory: meson setup --native-file skald.ini build\n\
             [built-in options]\n\
             c_link_args = ['-B{directory}']\n\
             cpp_link_args = ['-B{directory}']\n"
        ),
        "go" => format!(
            "# What has no C in it is linked by Go itself, unless -ldflags=-linkmode=external is given.\n\
             export CGO_LDFLAGS=-B{directory}\n"
        ),
        _ => format!(
            "# In .bazelrc of a workspace. Where its C++ toolchain says -fuse-ld=gold (or another),\n\
             # {directory} needs a link called ld.gold as well.\n\
             build --linkopt=-B{directory}\n\
             build --host_linkopt=-B{directory}\n"
        ),
    }
}

/// A word, quoted for a shell.
fn quoted(word: &str) -> String {
    if is_plain(Path::new(word)) {
        return word.to_owned();
    }
    format!("'{}'", word.replace('\'', "'\\''"))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn place(directory: &str, is_there: bool) -> Place {
        Place { program: "/opt/it's/skald".into(), directory: directory.into(), is_there }
    }

    #[test]
    fn all_builds_name_the_directory() {
        let builds: Vec<&str> = BUILDS.split('|').collect();
        for build in &builds {
            let there = lines(build, &place("/usr/libexec/skald", true));
            assert!(there.contains("/usr/libexec/skald"), "{there}");
            assert!(!there.contains("mkdir"), "{there}");
            let new = lines(build, &place("/home/me/.local/lib/skald", false));
            assert!(new.contains("ln -sf '/opt/it'\\''s/skald' /home/me/.local/lib/skald/ld\n"));
            assert!(new.lines().filter(|line| !line.starts_with('#')).count() > 0);
        }
        let texts = builds.iter().map(|build| lines(build, &place("/d", true)));
        let different: std::collections::BTreeSet<String> = texts.collect();
        assert_eq!(different.len(), builds.len());
    }

    #[test]
    fn what_belongs_into_files_begins_with_no_command() {
        for build in ["cargo", "meson", "bazel"] {
            let text = lines(build, &place("/d", false));
            assert!(text.contains("#   mkdir -p /d\n"), "{text}");
        }
    }

    #[test]
    fn paths_that_builds_would_split_are_not_taken() {
        assert!(is_plain(Path::new("/usr/lib/skald-0.1+git@2")));
        for path in ["/a b", "/a'b", "/a,b", "/\u{e9}", "/a$b"] {
            assert!(!is_plain(Path::new(path)), "{path}");
        }
        let home = |name: &str| (name == "HOME").then(|| "/a b".into());
        assert_eq!(Place::find(OsStr::new("skald"), &home).directory, Path::new(USUAL[2]));
        let home = |name: &str| (name == "HOME").then(|| "/home/me".into());
        let found = Place::find(OsStr::new("skald"), &home);
        assert_eq!(found.directory, Path::new("/home/me/.local/lib/skald"));
        assert!(!found.is_there);
    }
}
