//! The packages: small ones of each language and each way to build first, then ones of weight.

/// A source package of Debian.
pub struct Package {
    /// Its name.
    pub name: &'static str,
    /// What is built and how.
    pub about: &'static str,
}

const fn package(name: &'static str, about: &'static str) -> Package {
    Package { name, about }
}

/// All that are built.
pub const PACKAGES: &[Package] = &[
    package("hello", "C, automake"),
    package("lua5.4", "C, libtool without automake"),
    package("jq", "C, libtool"),
    package("json-c", "C, CMake, symbol versions"),
    package("libinih", "C and C++, Meson"),
    package("libjson-xs-perl", "Perl extension"),
    package("python-psutil", "Python extension"),
    package("markupsafe", "Python extension"),
    package("qrupdate", "Fortran, make"),
    package("ipp-usb", "Go with cgo"),
    package("zarith", "OCaml and C"),
    package("ocaml-re", "OCaml, dune"),
    package("expat", "C and C++, libtool"),
    package("libffi", "C and assembler, libtool"),
    package("gzip", "C, automake"),
    package("bzip2", "C, make"),
    package("lz4", "C, make"),
    package("zlib", "C, configure of its own, symbol versions"),
    package("xz-utils", "C, libtool, symbol versions, IFUNC"),
    package("pcre2", "C, libtool, JIT"),
    package("fribidi", "C, libtool"),
    package("snappy", "C++, CMake"),
    package("re2", "C++, make, symbol versions"),
    package("yaml-cpp", "C++, CMake"),
    package("fmtlib", "C++, CMake"),
    package("leveldb", "C++, CMake"),
    package("nettle", "C and assembler"),
    package("dav1d", "C and assembler, Meson"),
    package("pixman", "C, libtool, SIMD"),
    package("libevent", "C, libtool"),
    package("patch", "C, automake"),
    package("sed", "C, automake, gnulib"),
    package("grep", "C, automake, gnulib"),
    package("diffutils", "C, automake, gnulib"),
    package("flex", "C, libtool"),
    package("bison", "C and C++, automake"),
    package("m4", "C, automake, gnulib"),
    package("gawk", "C, extensions loaded at run time"),
    package("libdbi-perl", "Perl extension"),
    package("pyyaml", "Python extension, Cython"),
    package("lxml", "Python extension, Cython"),
    package("libxml2", "C, libtool, symbol versions, Python"),
    package("libxc", "C and Fortran"),
    package("netcdf-fortran", "Fortran, libtool"),
    package("tcl8.6", "C, libraries loaded at run time"),
    package("sqlite3", "C, libtool, Tcl"),
    package("vim", "C, several builds of one program"),
    package("perl", "C, Perl and its extensions"),
    package("git", "C and Perl"),
    package("python3.11", "C, Python and its extensions"),
];
