// --pack-dyn-relocs=android: dynamic relocations in Android's packed form, all of them.
//# driver: gcc
//# compile: -fPIC -O1
//# requires: llvm-readelf-19
//# variant: alone: -Wl,--pack-dyn-relocs=android
//# variant: relr: -Wl,--pack-dyn-relocs=android+relr,--use-android-relr-tags
//# link: -shared -nostdlib
//# dynamic: 0x60000011 value=section(.rela.dyn).address
//# dynamic: 0x60000012 value=section(.rela.dyn).size
//# no-dynamic: RELA
//# no-dynamic: RELACOUNT
//# section: .rela.dyn type=0x60000002
//# contains: .rela.dyn APS2
//# check: llvm-readelf-19 -rW $OUT > relocs; grep 'R_X86_64_64 .*imported + 4' relocs
//# check: grep 'R_X86_64_GLOB_DAT .*imported + 0' relocs
//# @alone check: test $(grep -c R_X86_64_RELATIVE relocs) = 40
//# @alone section: .rela.dyn size<200
//# @relr dynamic: 0x6fffe000
//# @relr check: grep "'.relr.dyn' .* contains 40 entries" relocs
//# @relr check: ! grep R_X86_64_RELATIVE relocs
//# peers: lld
extern int imported[];
static int v[40];
#define FOUR(i) &v[i], &v[i + 1], &v[i + 2], &v[i + 3]
int *table[] = {FOUR(0), FOUR(4), FOUR(8), FOUR(12), FOUR(16),
                FOUR(20), FOUR(24), FOUR(28), FOUR(32), FOUR(36)};
int *other = &imported[1];
int f(void) { return imported[0]; }
