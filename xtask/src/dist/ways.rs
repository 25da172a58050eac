//! The ways to link with an installed package: those of the README's table, and those that
//! `--print-setup` prints, each as a script that leaves a program called `hello` and runs it.

/// A way to link, and its script, which runs in a directory with only `hello.c` and `hello.cc`.
pub struct Way {
    /// Its name in the README.
    pub name: &'static str,
    /// A script for bash, which exits at the first command that fails.
    pub script: &'static str,
}

/// What every script begins with. `proven FILE [EMULATOR...]` fails unless skald has linked it and
/// it runs.
const BEGINNING: &str = r#"
rm -rf /tmp/way; mkdir /tmp/way; cd /tmp/way
cat >hello.c <<'END'
#include <stdio.h>
int main(void) { puts("hello"); return 0; }
END
cat >hello.cc <<'END'
#include <iostream>
#include <stdexcept>
int main() {
  try { throw std::runtime_error("hello"); }
  catch (std::exception &e) { std::cout << e.what() << std::endl; }
}
END
proven() {
  f=$1; shift
  readelf -p .comment "$f" | grep -q 'Linker: skald' && test "$("$@" "$f")" = hello
}
D=/usr/libexec/skald
"#;

/// What every script ends with.
const END: &str = "\ncd /; rm -rf /tmp/way\n";

/// The whole script of a way.
pub fn script(way: &str) -> String {
    format!("{BEGINNING}{way}{END}")
}

/// All ways, and the other features of the package. Bazel is left out, because Debian's version
/// downloads rules before it compiles anything.
pub const WAYS: [Way; 26] = [
    Way {
        name: "any build: skald -run make",
        script: "printf 'hello: hello.o\\n\\tgcc -o $@ $<\\n' >Makefile; skald -run make -s; \
            proven ./hello",
    },
    Way { name: "gcc -BDIR", script: "gcc -B$D hello.c -o hello; proven ./hello" },
    Way { name: "g++ -BDIR", script: "g++ -B$D hello.cc -o hello; proven ./hello" },
    Way { name: "gcc -BDIR -flto", script: "gcc -B$D -O2 -flto hello.c -o hello; proven ./hello" },
    Way {
        name: "clang --ld-path=DIR/ld",
        script: "clang-19 --ld-path=$D/ld hello.c -o hello; proven ./hello",
    },
    Way {
        name: "clang -fuse-ld=skald",
        script: "clang-19 -fuse-ld=skald hello.c -o hello; proven ./hello",
    },
    Way {
        name: "a cross compiler, for AArch64",
        script: "aarch64-linux-gnu-gcc -B$D hello.c -o hello; \
            proven ./hello qemu-aarch64 -L /usr/aarch64-linux-gnu",
    },
    Way {
        name: "a cross compiler, for i386",
        script: "i686-linux-gnu-gcc -B$D hello.c -o hello; \
            proven ./hello qemu-i386 -L /usr/i686-linux-gnu",
    },
    Way {
        name: "clang for another machine",
        script: "clang-19 --target=aarch64-linux-gnu -fuse-ld=skald hello.c -o hello; \
            proven ./hello qemu-aarch64 -L /usr/aarch64-linux-gnu",
    },
    Way {
        name: "cargo, RUSTFLAGS",
        script: "cargo -q new --name hello here 2>/dev/null; cd here; \
            echo 'fn main() { println!(\"hello\") }' >src/main.rs; \
            RUSTFLAGS=\"-Clinker-features=-lld -Clink-arg=-B$D\" cargo -q build; \
            proven target/debug/hello",
    },
    Way {
        name: "rustc",
        script: "echo 'fn main() { println!(\"hello\") }' >hello.rs; \
            rustc -Clinker-features=-lld -Clink-arg=-B$D hello.rs; proven ./hello",
    },
    Way {
        name: "CMake, LDFLAGS",
        script: "printf 'cmake_minimum_required(VERSION 3.13)\\nproject(h C CXX)\\n\
            add_library(l SHARED hello.c)\\nadd_executable(hello hello.cc)\\n' >CMakeLists.txt; \
            LDFLAGS=-B$D cmake -S . -B build >log; cmake --build build >log; \
            proven build/hello; readelf -p .comment build/libl.so | grep -q 'Linker: skald'",
    },
    Way {
        name: "configure LDFLAGS=-BDIR",
        script: "printf 'AC_INIT([h],[1])\\nAC_PROG_CC\\nAC_CONFIG_FILES([Makefile])\\n\
            AC_OUTPUT\\n' >configure.ac; \
            printf 'hello: hello.c\\n\\t@CC@ @CFLAGS@ @LDFLAGS@ -o $@ hello.c\\n' >Makefile.in; \
            autoconf; ./configure -q LDFLAGS=-B$D; make -s; proven ./hello",
    },
    Way {
        name: "Go with cgo",
        script: "rm hello.c hello.cc; cat >hello.go <<'END'\npackage main\n/*\n#include <stdlib.h>\n*/\nimport \"C\"\n\
            import \"fmt\"\nfunc main() { if C.abs(-1) == 1 { fmt.Println(\"hello\") } }\nEND\n\
            go mod init hello 2>/dev/null; \
            go build -ldflags=\"-linkmode=external -extldflags=-B$D\" -o hello; proven ./hello",
    },
    Way {
        name: "by hand: skald, and ld of DIR",
        script: "gcc -c hello.c; l=/usr/lib/x86_64-linux-gnu; for ld in skald $D/ld ld.skald; do \
            $ld -o hello $l/crt1.o $l/crti.o hello.o -lc $l/crtn.o \
            -dynamic-linker /lib64/ld-linux-x86-64.so.2; proven ./hello; done",
    },
    Way {
        name: "--print-setup=gcc",
        script: "eval \"$(skald --print-setup=gcc)\"; make -s CC=gcc hello; proven ./hello",
    },
    Way {
        name: "--print-setup=clang",
        script: "eval \"$(skald --print-setup=clang)\"; make -s CC=clang-19 hello; proven ./hello",
    },
    Way {
        name: "--print-setup=cargo",
        script: "cargo -q new --name hello here 2>/dev/null; cd here; mkdir .cargo; \
            echo 'fn main() { println!(\"hello\") }' >src/main.rs; \
            skald --print-setup=cargo >.cargo/config.toml; cargo -q build; \
            proven target/debug/hello",
    },
    Way {
        name: "--print-setup=cmake",
        script: "printf 'cmake_minimum_required(VERSION 3.13)\\nproject(h C CXX)\\n\
            add_library(l SHARED hello.c)\\nadd_executable(hello hello.cc)\\n' >CMakeLists.txt; \
            cmake -S . -B build >log; (eval \"$(skald --print-setup=cmake)\") >log; \
            cmake --build build >log; proven build/hello; \
            readelf -p .comment build/libl.so | grep -q 'Linker: skald'",
    },
    Way {
        name: "--print-setup=meson",
        script: "printf \"project('h', 'c', 'cpp')\\nshared_library('l', 'hello.c')\\n\
            executable('hello', 'hello.cc')\\n\" >meson.build; \
            skald --print-setup=meson >skald.ini; \
            meson setup --native-file skald.ini build >log; ninja -C build >log; \
            proven build/hello; readelf -p .comment build/libl.so | grep -q 'Linker: skald'",
    },
    Way {
        name: "--print-setup=go",
        script: "rm hello.c hello.cc; cat >hello.go <<'END'\npackage main\n/*\n#include <stdlib.h>\n*/\n\
            import \"C\"\nimport \"fmt\"\n\
            func main() { if C.abs(-1) == 1 { fmt.Println(\"hello\") } }\nEND\n\
            go mod init hello 2>/dev/null; eval \"$(skald --print-setup=go)\"; \
            go build -o hello; proven ./hello",
    },
    Way {
        name: "man skald, man ld.skald",
        script: "for page in skald ld.skald; do man -P cat $page >text 2>warnings; \
            grep -q -e '--print-setup' text; test ! -s warnings; done",
    },
    Way {
        name: "completions of bash",
        script: "set +u; . /usr/share/bash-completion/bash_completion; \
            _completion_loader skald || test $? = 124; complete -p skald; \
            COMP_WORDS=(skald --print-setup = ca); COMP_CWORD=3; _skald; \
            test \"${COMPREPLY[*]}\" = cargo",
    },
    Way { name: "skald-distribute", script: "skald-distribute --help | grep -q remote" },
    Way {
        name: "modes and owners",
        script: "dpkg -L skald | while read f; do stat -c '%a %u:%g %n' \"$f\"; done >log; \
            ! grep -vE '^(755|644|777) 0:0 ' log",
    },
    Way {
        name: "documents",
        script: "cd /usr/share/doc/skald; zcat licences-of-parts.gz | grep -q '^zstd-sys '; \
            zcat changelog.Debian.gz | grep -q '^skald ('; grep -q 'License: Apache-2.0' copyright",
    },
];
