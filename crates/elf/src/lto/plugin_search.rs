//! Finds LLVM's plugin where no option names one: compilers expect a linker to read bitcode by
//! itself.

use super::producer;
use std::path::{Path, PathBuf};

/// The file's name.
const PLUGIN: &str = "LLVMgold.so";
/// Directories of installed versions, which may have the plugin in `lib`.
const VERSIONS: [&str; 3] = ["/usr/lib", "/usr/local", "/opt"];
/// Directories for plugins of any version.
const COMMON: [&str; 4] = ["/usr/lib/bfd-plugins", "/usr/lib64", "/usr/lib", "/usr/local/lib"];

/// Finds a plugin that reads bitcode of `version`, in the `lib` directories of compilers in `path`
/// and of installed versions. The same version is preferred to a newer one; an older one is never
/// taken.
fn find(
    version: u32,
    path: &[PathBuf],
    directories: &[PathBuf],
    common: &[&str],
) -> Option<PathBuf> {
    let beside =
        path.iter().filter(|dir| dir.join("clang").exists() || dir.join("llvm-config").exists());
    let beside = beside.filter_map(|dir| Some(dir.parent()?.join("lib").join(PLUGIN)));
    let installed = directories.iter().flat_map(|within| {
        let entries = std::fs::read_dir(within).into_iter().flatten().flatten();
        entries.map(|entry| entry.path().join("lib").join(PLUGIN))
    });
    let common = common.iter().map(|directory| Path::new(directory).join(PLUGIN));
    let all = beside.chain(installed).chain(common).filter(|path| path.is_file());
    let versioned = all.map(|path| {
        let real = std::fs::canonicalize(&path).unwrap_or_else(|_| path.clone());
        (version_of(&real), path)
    });
    let fit = versioned.filter(|(own, _)| own.is_none_or(|own| own >= version));
    // A plugin of unknown version is the last resort.
    let mut fit: Vec<(bool, Option<u32>, PathBuf)> =
        fit.map(|(own, path)| (own.is_none(), own, path)).collect();
    fit.sort();
    fit.into_iter().next().map(|(_, _, path)| path)
}

/// The directories of `PATH`.
fn search_path() -> Vec<PathBuf> {
    std::env::var_os("PATH").iter().flat_map(std::env::split_paths).collect()
}

/// The version in the name of a directory such as `llvm-19`.
pub fn version_of(path: &Path) -> Option<u32> {
    path.components().find_map(|component| {
        let name = component.as_os_str().to_str()?;
        name.strip_prefix("llvm")?.trim_start_matches('-').split('.').next()?.parse().ok()
    })
}

/// The plugin for this file of bitcode.
///
/// # Errors
/// A message that names the package with the plugin.
pub fn for_bitcode(bytes: &[u8]) -> Result<PathBuf, String> {
    let name = producer::name(bytes).unwrap_or_else(|| "an unknown compiler".to_owned());
    let version = producer::major(&name).unwrap_or(0);
    let path = search_path();
    find(version, &path, &VERSIONS.map(PathBuf::from), &COMMON).ok_or_else(|| {
        let newer = if version == 0 { "VERSION".to_owned() } else { version.to_string() };
        format!(
            "is bitcode of {name}, and there is no {PLUGIN} of this or a newer LLVM that could \
             compile it\n>>> install it (Debian: llvm-{newer}-linker-tools), name one by -plugin, \
             or compile without -flto"
        )
    })
}

/// The compiler that belongs to a plugin: that of the same installation, or else one of the search
/// path.
pub fn compiler(plugin: &Path) -> Option<PathBuf> {
    let real = std::fs::canonicalize(plugin).ok();
    let own = real.iter().filter_map(|path| Some(path.parent()?.parent()?.join("bin")));
    let version = real.as_deref().and_then(version_of);
    let names = version.map(|version| format!("clang-{version}")).into_iter();
    let names: Vec<String> = names.chain(["clang".to_owned()]).collect();
    let path = search_path();
    let mut all = own
        .map(|directory| directory.join("clang"))
        .chain(names.iter().flat_map(|name| path.iter().map(move |within| within.join(name))));
    all.find(|path| path.is_file())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_oldest_that_is_new_enough_is_taken() {
        let directory = tempfile::tempdir().expect("a temporary directory");
        for version in ["llvm-17", "llvm-19", "llvm-21", "other"] {
            let lib = directory.path().join(version).join("lib");
            std::fs::create_dir_all(&lib).expect("a directory");
            std::fs::write(lib.join(PLUGIN), "").expect("a file");
        }
        let found = |version: u32| {
            let found = find(version, &[], &[directory.path().to_owned()], &[])?;
            version_of(&found)
        };
        assert_eq!(found(19), Some(19));
        assert_eq!(found(20), Some(21));
        assert_eq!(found(17), Some(17));
        assert_eq!(version_of(Path::new("/usr/lib/llvm-19/lib/x")), Some(19));
        assert_eq!(version_of(Path::new("/opt/llvm/lib/x")), None);
    }
}
