//! The packages: first small ones for each language and build system, then large ones.

/// A source package of Debian.
pub struct Package {
    /// Name of the package.
    pub name: &'static str,
    /// What is built and how.
    pub about: &'static str,
}

const fn package(name: &'static str, about: &'static str) -> Package {
    Package { name, about }
}

/// All packages that are built.
pub const PACKAGES: &[Package] = &[
    package("hello", "C, automake"),
    package("lua5.4", "C, libtool without automake"),
    package("libjson-xs-perl", "Perl extension"),
    package("liblocale-gettext-perl", "Perl extension"),
    package("lbfgsb", "Fortran"),
    package("ocaml-num", "OCaml and C"),
    package("ocaml-zarith", "OCaml and C"),
    package("findlib", "OCaml"),
    package("golang-github-docker-docker-credential-helpers", "Go with cgo"),
    package("snappy", "C++, CMake"),
    package("bzip2", "C, make"),
    package("gzip", "C, automake"),
    package("zlib", "C, configure of its own, symbol versions"),
    package("expat", "C and C++, libtool"),
    package("lxml", "Python extension, Cython"),
    package("fmtlib", "C++, CMake"),
    package("json-c", "C, CMake, symbol versions"),
    package("jq", "C, libtool"),
    package("patch", "C, automake"),
    package("fribidi", "C, libtool"),
    package("nettle", "C and assembler, symbol versions"),
    package("dav1d", "C and assembler, Meson"),
    package("re2", "C++, make, symbol versions"),
    package("xz-utils", "C, libtool, symbol versions, IFUNC"),
    package("leveldb", "C++, CMake"),
    package("yaml-cpp", "C++, CMake"),
    package("spdlog", "C++, CMake"),
    package("sed", "C, automake, gnulib"),
    package("less", "C, configure"),
    package("dash", "C, automake"),
    package("bc", "C, automake"),
    package("readline", "C, libraries made by hand"),
    package("nano", "C, automake, gnulib"),
    package("file", "C, libtool"),
    package("libpng1.6", "C, libtool, symbol versions"),
    package("libffi", "C and assembler, libtool, DejaGnu"),
    package("libevent", "C, libtool"),
    package("pcre2", "C, libtool, JIT"),
    package("make-dfsg", "C, automake"),
    package("m4", "C, automake, gnulib"),
    package("flex", "C, libtool"),
    package("grep", "C, automake, gnulib"),
    package("gawk", "C, extensions loaded at run time"),
    package("diffutils", "C, automake, gnulib"),
    package("wcslib", "C and Fortran"),
    package("libxc", "C and Fortran"),
    package("libxml2", "C, libtool, symbol versions, Python"),
    package("libxml-libxml-perl", "Perl extension"),
    package("mpfr4", "C, libtool"),
    package("tcl8.6", "C, libraries loaded at run time"),
    package("sqlite3", "C, libtool, Tcl"),
    package("vim", "C, several builds of one program"),
    package("perl", "C, Perl and its extensions"),
    package("git", "C and Perl"),
    package("python3.11", "C, Python and its extensions"),
];
