//! Programs with link-time optimisation, from objects with intermediate code alone. Each is built
//! twice, by the linker under test and by GNU ld with the same plugin. It runs its tests, and both
//! must print the same.

use super::{Done, Place, debian, output, skip_if_offline};
use crate::Result;
use crate::tools::is_installed;
use std::process::Command;

/// A program, with the scripts that build and try it.
struct Built {
    /// The Debian package of its source, or else the name of its directory.
    name: &'static str,
    /// Source files of a program that is not from a package.
    files: &'static [(&'static str, &'static str)],
    /// Tools without which it cannot be built.
    needs: &'static [&'static str],
    build: &'static str,
    /// What it prints is compared.
    check: &'static str,
    /// A text that the output must contain.
    prints: &'static str,
}

/// Sets `$CC` with all options.
const GCC: &str = "export CC=\"gcc -O2 -w -flto=auto -fno-fat-lto-objects $OPTION\" AR=gcc-ar \
    RANLIB=gcc-ranlib NM=gcc-nm\n";
const CLANG: &str = "export CC=\"clang-19 -O1 -w -flto=thin $OPTION\" AR=llvm-ar-19 \
    RANLIB=llvm-ranlib-19 NM=llvm-nm-19\n";

const ZLIB: Built = Built {
    name: "zlib",
    files: &[],
    needs: &["make"],
    build: "./configure && make -j2 AR=gcc-ar LDSHARED=\"$CC -shared -Wl,-soname,libz.so.1,\
        --version-script,zlib.map\"",
    check: "make -s test AR=gcc-ar && nm -D --defined-only libz.so.1 | cut -c18-",
    prints: "*** zlib shared test OK ***",
};

const BZIP2: Built = Built {
    name: "bzip2",
    files: &[],
    needs: &["make"],
    build: "make -j2 CC=\"$CC\" AR=gcc-ar RANLIB=gcc-ranlib CFLAGS=-D_FILE_OFFSET_BITS=64",
    check: "make -s test CC=\"$CC\" AR=gcc-ar RANLIB=gcc-ranlib",
    prints: "If you got this far and the 'cmp's didn't complain",
};

const LUA: Built = Built {
    name: "lua5.4",
    files: &[],
    needs: &["make"],
    build: "make -j2 -C src lua CC=\"$CC\" AR='gcc-ar rcu' RANLIB=gcc-ranlib \
        SYSLIBS='-Wl,-E -ldl -lm' SYSCFLAGS=-DLUA_USE_LINUX",
    check: "src/lua -e 'local t={} for i=1,2000 do t[i]=(i*7919)%2003 end table.sort(t) \
        print(#t,t[1],t[2000],(\"abc\"):gsub(\"b\",\"%0%0\"),utf8.char(8364)) \
        print(select(\"#\",load(\"return 1,2,3\")()),pcall(string.rep,\"x\",-1)) \
        local c=coroutine.wrap(function() for i=1,3 do coroutine.yield(i) end end) \
        print(c(),c(),c(),string.pack(\"<i4\",7):byte(1,4)) print(pcall(error,\"thrown\"))'",
    prints: "false\tthrown",
};

const SQLITE: Built = Built {
    name: "sqlite3",
    files: &[],
    needs: &["make", "tclsh"],
    build: "./configure -q --disable-tcl --disable-readline && make -s -j2 sqlite3 libsqlite3.la",
    check: "./sqlite3 :memory: \"create table t(a,b,c text); with recursive n(i) as (select 1 union \
        all select i+1 from n where i<20000) insert into t select i, i*i%997, 'x'||i from n; \
        create index ix on t(b); select count(*),sum(a),max(b) from t where b<500; \
        select json_extract('[1,2]','\\$[1]'), printf('%.3f',3.14159), hex(zeroblob(3)); \
        pragma integrity_check;\" && nm -D --defined-only .libs/libsqlite3.so | cut -c18-",
    prints: "\nok\n",
};

const BASH: Built = Built {
    name: "bash",
    files: &[],
    needs: &["make"],
    build: "CFLAGS=-g0 ./configure -q --without-bash-malloc && make -s -j2",
    check: "cd tests; for t in arith array assoc braces case cond dstack heredoc func ifs more-exp \
        new-exp nquote posixexp printf quote read redir strip test tilde type varenv; do \
        THIS_SH=../bash PATH=\"$PWD:$PATH\" ../bash run-$t || true; echo done $t; done",
    prints: "done varenv",
};

const BUSYBOX: Built = Built {
    name: "busybox",
    files: &[],
    needs: &["make"],
    build: "make -s defconfig && sed -i -e 's/^# CONFIG_STATIC is not set/CONFIG_STATIC=y/' \
        -e 's/^CONFIG_TC=y/# CONFIG_TC is not set/' .config && yes '' | make -s oldconfig && \
        make -s -j2 CC=\"$CC\" AR=gcc-ar NM=gcc-nm",
    check: "./busybox seq 1 2000 | ./busybox gzip | ./busybox gunzip | ./busybox awk '{s+=$1} END \
        {print s}'; cd testsuite; for t in awk.tests bunzip2.tests cut.tests dc.tests diff.tests \
        expand.tests fold.tests grep.tests hexdump.tests printf.tests sed.tests seq.tests \
        sort.tests sum.tests tar.tests uniq.tests xargs.tests; do \
        SKIP_KNOWN_BUGS=1 ./runtest -v $t 2>&1 | grep -E '^(PASS|FAIL)' || true; done",
    prints: "2001000\n",
};

const FORTRAN: Built = Built {
    name: "fortran",
    files: &[
        ("shapes.f90", include_str!("shapes.f90")),
        ("program.f90", include_str!("program.f90")),
    ],
    needs: &["gfortran"],
    build: "for s in '' -static; do gfortran -O2 -flto=auto -fno-fat-lto-objects $OPTION $s \
        shapes.f90 program.f90 -o program$s; done",
    check: "./program && ./program-static",
    prints: "652.1569   13.000  100",
};

const OPENMP: Built = Built {
    name: "openmp",
    files: &[("threads.c", include_str!("threads.c")), ("target.c", include_str!("target.c"))],
    needs: &["gcc"],
    build: "for o in default disable; do f=; test $o = default || f=-foffload=$o; \
        $CC -fopenmp $f threads.c target.c -o $o; done; \
        $CC -fopenmp -c threads.c target.c && \
        $CC -fopenmp -r -flinker-output=nolto-rel threads.o target.o -o joined.o && \
        gcc $OPTION -fopenmp joined.o -o joined",
    check: "./default && ./disable && ./joined",
    prints: "499500 1000 2997",
};

/// Some 300 files.
const GIT: Built = Built {
    name: "git",
    files: &[],
    needs: &["make", "clang-19", "llvm-ar-19", "ld.lld-19"],
    build: "make -s -j2 CC=\"$CC\" AR=$AR CFLAGS= NO_CURL=1 NO_EXPAT=1 NO_GETTEXT=1 NO_TCLTK=1 \
        NO_PERL=1 NO_PYTHON=1 NO_OPENSSL=1 NO_PCRE=1 BLK_SHA1=1 git",
    check: "rm -rf try; mkdir try; cd try; export HOME=$PWD GIT_CONFIG_NOSYSTEM=1 \
        GIT_AUTHOR_DATE='1700000000 +0000' GIT_COMMITTER_DATE='1700000000 +0000'; \
        g() { ../git --exec-path=.. -c user.name=n -c user.email=e -c init.defaultBranch=m \"$@\"; }; \
        g init -q; for i in $(seq 300); do echo $i > f$i; done; g add .; g commit -qm one; \
        g rm -q f7; echo x >> f8; g commit -qam two; g log --stat --format=%H; g diff HEAD~ f8; \
        g gc -q; g fsck --full; g ls-tree -r HEAD | md5sum; g branch b HEAD~; g merge-base b m",
    prints: "2 files changed",
};

macro_rules! programs {
    ($($function:ident: $program:ident, $options:ident, $theirs:literal;)*) => {
        $(
            pub(super) fn $function(place: &Place) -> Result<Done> {
                build(place, &$program, $options, $theirs)
            }
        )*
    };
}

programs! {
    zlib: ZLIB, GCC, "-fuse-ld=bfd";
    bzip2: BZIP2, GCC, "-fuse-ld=bfd";
    lua: LUA, GCC, "-fuse-ld=bfd";
    sqlite: SQLITE, GCC, "-fuse-ld=bfd";
    bash: BASH, GCC, "-fuse-ld=bfd";
    busybox: BUSYBOX, GCC, "-fuse-ld=bfd";
    fortran: FORTRAN, GCC, "-fuse-ld=bfd";
    openmp: OPENMP, GCC, "-fuse-ld=bfd";
    git: GIT, CLANG, "-fuse-ld=lld";
}

/// Builds a program with both linkers; an error unless both print the same, with the expected text.
fn build(place: &Place, program: &Built, options: &str, theirs: &str) -> Result<Done> {
    if let Some(missing) = program.needs.iter().find(|tool| !is_installed(tool)) {
        return Ok(Done::Skipped(format!("there is no {missing}")));
    }
    let source = match program.files {
        [] => match debian::source(place, program.name) {
            Ok(source) => source,
            Err(message) => return skip_if_offline(message),
        },
        files => place.project(&format!("lto/{}", program.name), files)?,
    };
    let mut said = Vec::new();
    for (linker, option) in [("skald", &*place.driver_option()), ("other", theirs)] {
        let option = match (options, linker) {
            (CLANG, "skald") => &*format!("--ld-path={}/ld", option.trim_start_matches("-B")),
            _ => option,
        };
        let name = format!("lto-builds/{}-{linker}", program.name);
        let directory = debian::copy(place, &source, &name)?;
        let run = |script: &str| {
            let mut sh = Command::new("sh");
            sh.args(["-ec", &format!("{options}{script}")])
                .env("OPTION", option)
                .env("LC_ALL", "C");
            output(sh.current_dir(&directory))
        };
        run(program.build)?;
        said.push(run(program.check)?);
    }
    if !said[0].contains(program.prints) {
        return Err(format!("it does not print {:?} but\n{}", program.prints, said[0]));
    }
    match said[0].lines().zip(said[1].lines()).find(|(ours, theirs)| ours != theirs) {
        Some((ours, theirs)) => {
            Err(format!("it says {ours:?}, and by the other linker {theirs:?}"))
        }
        None if said[0].len() != said[1].len() => Err("it says more, or less".to_owned()),
        None => Ok(Done::Right),
    }
}
