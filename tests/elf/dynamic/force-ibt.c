// -z force-ibt: the output is marked for IBT and has such a PLT; objects without the mark are told.
//# compile: -fcf-protection=none
//# link: -Wl,-z,force-ibt
//# warning: main\.o: -z force-ibt: missing GNU_PROPERTY_X86_FEATURE_1_IBT
//# check: readelf -nW $OUT | grep IBT
//# check: objdump -dj .plt $OUT | grep endbr
//# run: stdout="x\n"
//# peers:
#include <stdio.h>
int main(void) { puts("x"); }
