// Bitcode of a newer LLVM than any plugin here is an error that names its version and the package.
//# driver: ld
//# peers: none
//# requires: rustc
//# requires: clang-19
//# sh: rustc --edition 2021 --crate-type=lib --emit=obj -O -Clinker-plugin-lto part.inc -o part.o
//# sh: if $LD part.o -e f -o x 2>messages; then true; else grep -Eq 'LLVM[0-9]+\.|rust' messages && grep -Eq 'llvm-[0-9]+-linker-tools|-plugin' messages; fi
//# sh: plugin=$(ls /usr/lib/llvm-*/lib/LLVMgold.so | tail -1); if $LD -plugin $plugin -u f part.o -e f -o x 2>messages; then true; else grep -q 'inputs are bitcode of LLVM.*too old' messages; fi
//# link: main.o
void _start(void) {}
//# file: part.inc
#![no_std]
#[no_mangle]
pub extern "C" fn f(x: i32) -> i32 { x + 1 }
