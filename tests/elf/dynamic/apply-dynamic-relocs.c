// --apply-dynamic-relocs writes addends into the places of dynamic relocations too, its negation
// none; relocations that are packed need theirs in place in any case.
//# @default,on,packed machines: x86-64 aarch64 words have eight bytes
//# driver: gcc
//# compile: -fPIC -O1
//# variant: default:
//# variant: on: -Wl,--apply-dynamic-relocs
//# variant: off: -Wl,--no-apply-dynamic-relocs
//# variant: packed: -Wl,--no-apply-dynamic-relocs,-z,pack-relative-relocs
//# link: -shared
//# @default,on,packed word64: symbol(own).value = symbol(word).value+4
//# @default,off,packed word64: symbol(other).value = 0
//# @on word64: symbol(other).value = 12
//# @off word64: symbol(own).value = 0
//# @off reloc: R_X86_64_RELATIVE place=symbol(own).value addend=symbol(word).value+4
//# peers:
extern int imported[];
__attribute__((visibility("hidden"))) int word[2] = {1, 2};
int *own = &word[1];
int *other = &imported[3];
int f(void) { return imported[0]; }
