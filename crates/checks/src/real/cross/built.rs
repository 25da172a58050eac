//! Programs of Debian's sources, with their own tests.

use super::Target;
use crate::Result;
use crate::real::{Done, Place, debian, output, skip_if_offline};
use std::process::Command;

/// A program, with the scripts that build and try it.
pub(super) struct Built {
    /// The Debian package of its source.
    name: &'static str,
    /// Files that are added to its source.
    files: &'static [(&'static str, &'static str)],
    /// Packages of the machine that it is built with, below `$PACKAGES`.
    packages: &'static [&'static str],
    /// Tools without which it cannot be built.
    needs: &'static [&'static str],
    build: &'static str,
    check: &'static str,
    /// Texts that the check must print.
    prints: &'static [&'static str],
}

/// `emulated` puts a script in place of each executable that only the emulator runs, so that tests
/// call it as if it were one.
const EMULATED: &str = r#"emulated() {
    test "$RUN" || return 0
    find "$PWD" -type f -perm -u+x ! -name '*.program' | while read -r file; do
        "$HOST-readelf" -hlW "$file" 2>/dev/null | grep -q 'INTERP\|EXEC ' || continue
        mv "$file" "$file.program"
        printf '#!/bin/sh\nexec %s "%s.program" "$@"\n' "$RUN" "$file" >"$file"
        chmod +x "$file"
    done
}
"#;

pub(super) const ZLIB: Built = Built {
    name: "zlib",
    files: &[],
    packages: &[],
    needs: &["make"],
    build: "./configure && make -s -j2 LDSHARED=\"$CC -shared -Wl,-soname,libz.so.1,\
        --version-script,zlib.map\" && emulated",
    check: "make -s test",
    prints: &["*** zlib test OK ***", "*** zlib shared test OK ***", "*** zlib 64-bit test OK ***"],
};

pub(super) const XZ: Built = Built {
    name: "xz-utils",
    files: &[],
    packages: &[],
    needs: &["make"],
    build: "./configure -q --host=$HOST --disable-nls CFLAGS=-O2 && make -s -j2 && \
        make -s -j2 check TESTS= && emulated",
    check: "make -s check",
    prints: &["PASS: test_compress_generated_text", "PASS: test_files.sh", "# FAIL:  0"],
};

/// The interpreter exports its functions to a module that it loads.
pub(super) const LUA: Built = Built {
    name: "lua5.4",
    files: &[
        ("vectors.c", include_str!("vectors.c")),
        ("vectors.lua", include_str!("vectors.lua")),
    ],
    packages: &[],
    needs: &["make"],
    build: "make -s -j2 -C src lua CC=\"$CC -std=gnu99\" AR=\"$AR rcu\" RANLIB=$RANLIB \
        SYSLIBS='-Wl,-E -ldl -lm' SYSCFLAGS=-DLUA_USE_LINUX && \
        $CC -O2 -fPIC -shared -Isrc vectors.c -o vectors.so && emulated",
    check: "src/lua vectors.lua",
    prints: &["2000\t1.5\t2002.5\tfalse\tthrown by C\n", "\ncollected\n", "aabbcc\ttrue\n"],
};

/// Its tests are scripts of Tcl, for a program with sqlite and Tcl's library.
pub(super) const SQLITE: Built = Built {
    name: "sqlite3",
    files: &[],
    packages: &["libtcl8.6", "tcl8.6-dev", "zlib1g"],
    needs: &["make", "tclsh"],
    build: "./configure -q --host=$HOST --build=$(cc -dumpmachine) --disable-tcl \
        --disable-readline CFLAGS=\"-O1 -w -I$PACKAGES/tcl8.6-dev/usr/include/tcl8.6\" && \
        make -s -j2 sqlite3 testfixture \
        LIBTCL=\"$PACKAGES/libtcl8.6/usr/lib/$MULTIARCH/libtcl8.6.so.0 \
        $PACKAGES/zlib1g/lib/$MULTIARCH/libz.so.1 -ldl -lm\" && emulated",
    check: "export LD_LIBRARY_PATH=$PACKAGES/libtcl8.6/usr/lib/$MULTIARCH:\
        $PACKAGES/zlib1g/lib/$MULTIARCH TCL_LIBRARY=$PACKAGES/libtcl8.6/usr/share/tcltk/tcl8.6
        for test in bind blob boundary1 collate1 date delete2 expr fts3aa fts4aa func index insert \
        join json101 printf select1 select4 shared thread001 trigger1 update vacuum where \
        window1; do ./testfixture test/$test.test >said 2>&1 || { cat said; exit 1; }
            echo $test: $(grep -a 'errors out of' said); done",
    prints: &["thread001: 0 errors out of 52", "func: 0 errors out of 14734", "window1: 0 errors"],
};

/// The library, with what it computes in assembler code, and the program.
pub(super) const OPENSSL: Built = Built {
    name: "openssl",
    files: &[],
    packages: &[],
    needs: &["make", "perl"],
    build: "./Configure $OPENSSL shared CFLAGS='-O1 -w' >said && make -s -j2 build_generated && make -s -j2 libcrypto.so \
        libssl.so apps/openssl providers/legacy.so test/asynctest test/bntest test/destest \
        test/evp_test && emulated",
    check: "export LD_LIBRARY_PATH=$PWD OPENSSL_MODULES=$PWD/providers
        passes() { \"$@\" >said 2>&1 || { cat said; exit 1; }; echo passed: $1 ${2##*/}; }
        for values in evpciph_aes_common evpciph_chacha evpmac_poly1305 evpmd_sha evppkey_ecx \
        evppkey_rsa; do passes test/evp_test test/recipes/30-test_evp_data/$values.txt; done
        passes test/bntest test/recipes/10-test_bn_data/bnmod.txt
        passes test/destest; passes test/asynctest
        printf abc >word; apps/openssl dgst -provider legacy -provider default -md4 word
        apps/openssl genpkey -algorithm ed25519 -out key
        apps/openssl pkeyutl -sign -rawin -inkey key -in word -out signature
        apps/openssl pkeyutl -verify -rawin -inkey key -in word -sigfile signature",
    prints: &["a448017aaf21d8525fc10ae87aa6729d", "Signature Verified Successfully"],
};

impl Built {
    /// Builds and tries the program.
    pub(super) fn prove(&self, place: &Place, target: &Target) -> Result<Done> {
        if let Some(missing) = target.missing(&[]) {
            return Ok(Done::Skipped(missing));
        }
        if let Some(missing) = self.needs.iter().find(|tool| !crate::tools::is_installed(tool)) {
            return Ok(Done::Skipped(format!("there is no {missing}")));
        }
        let found = self.packages.iter().try_for_each(|package| {
            debian::files_for(place, Some(target.debian), package).map(drop)
        });
        let source = match found.and_then(|()| debian::source(place, self.name)) {
            Ok(source) => source,
            Err(message) => return skip_if_offline(message),
        };
        let name = format!("cross/{}-{}", self.name, target.debian);
        let directory = debian::copy(place, &source, &name)?;
        place.project(&name, self.files)?;
        let run = |script: &str| {
            let mut sh = Command::new("sh");
            sh.args(["-ec", &format!("{EMULATED}{script}")]).env("LC_ALL", "C");
            sh.env("CC", format!("{} {}", target.program("gcc"), place.driver_option()));
            sh.env("AR", target.program("ar")).env("RANLIB", target.program("ranlib"));
            sh.env("HOST", target.triple).env("MULTIARCH", target.multiarch);
            sh.env("RUN", target.machine().shell_runner()).env("OPENSSL", target.openssl);
            sh.env("PACKAGES", debian::packages(place, Some(target.debian)));
            output(sh.current_dir(&directory))
        };
        run(self.build)?;
        let said = run(self.check)?;
        match self.prints.iter().find(|text| !said.contains(**text)) {
            Some(missing) => Err(format!("it does not print {missing:?} but\n{said}")),
            None => Ok(Done::Right),
        }
    }
}
