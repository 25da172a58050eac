# Sections of dynamic linking that no statement takes stand in the order in which GNU ld makes them.
//# driver: ld
//# shared: liblib.so lib.o --version-script=lib.ver
//# link: main.o liblib.so -z noexecstack -shared --hash-style=both -T layout.ld
//# check: readelf -SW $OUT | grep -o '\.[a-z._]*' | grep -E 'version|dyns|hash|dynamic' | tr -d '\n' | grep -q '^.gnu.version.gnu.version_r.dynsym.dynstr.hash.gnu.hash.dynamic'
//# requires: readelf
//# lint-except: writable-code the script puts all into one segment
//# peers: ld
.globl f
f: mov g@GOTPCREL(%rip), %rax
.data
.dc.a g
//# file: lib.s
.globl g
g: ret
//# file: lib.ver
V1 { *; };
//# file: layout.ld
SECTIONS { .text : { *(.text) } .data : { *(.data) } }
