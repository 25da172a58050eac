// What --print-setup prints makes a build use this linker: the directory that holds it as ld is
// found beside the program and below HOME, whatever the program is called; if there is none, the
// lines make one.
//# requires: make clang-19 readelf
//# peers: none
//# check: rm -rf bin home libexec && mkdir bin && ln -s "$LD" bin/skald
//# check: export HOME="$PWD/home" && eval "$(bin/skald --print-setup=gcc)" && test -L home/.local/lib/skald/ld
//# check: HOME="$PWD/home" bin/skald --print-setup=gcc | grep -q "^export LDFLAGS=-B$PWD/home/.local/lib/skald\$"
//# check: HOME="$PWD/home" bin/skald --print-setup=gcc >told && ! grep mkdir told
//# check: mkdir -p libexec/skald && ln -s "$LD" libexec/skald/ld
//# check: HOME="$PWD/home" bin/skald --print-setup=gcc | grep -q "^export LDFLAGS=-B$PWD/libexec/skald\$"
//# check: PATH="$PWD/bin:$PATH" skald --print-setup=gcc | grep -q "^export LDFLAGS=-B$PWD/libexec/skald\$"
//# check: HOME= libexec/skald/ld --print-setup=gcc | grep -q "^export LDFLAGS=-B$PWD/libexec/skald\$"
//# check: eval "$(bin/skald --print-setup=gcc)" && rm -f main && make -s CC=gcc main && ./main && readelf -p .comment main | grep -q skald
//# check: eval "$(bin/skald --print-setup=clang)" && rm -f main && make -s CC=clang-19 main && ./main && readelf -p .comment main | grep -q skald
//# check: bin/skald --print-setup=cargo | grep -q "^rustflags = .*-Clink-arg=-B$PWD/libexec/skald\"]\$"
//# check: bin/skald --print-setup=meson | grep -q "^c_link_args = \['-B$PWD/libexec/skald'\]\$"
//# check: bin/skald --print-setup=go | grep -q "^export CGO_LDFLAGS=-B$PWD/libexec/skald\$"
//# check: bin/skald --print-setup=bazel | grep -q "^build --host_linkopt=-B$PWD/libexec/skald\$"
//# check: bin/skald --print-setup=cmake | grep -q "^cmake -S . -B build -DCMAKE_EXE_LINKER_FLAGS=-B$PWD/libexec/skald "
//# check: ! bin/skald --print-setup=scons 2>told && grep -q "bad value 'scons': expected gcc, clang, cargo, cmake, meson, go or bazel" told
int main(void) { return 0; }
