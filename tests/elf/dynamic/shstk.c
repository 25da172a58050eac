// -z shstk and -z x86-64-v2 mark the output whatever its objects say.
//# compile: -fcf-protection=none
//# link: -Wl,-z,shstk,-z,x86-64-v2
//# check: readelf -nW $OUT | grep 'x86 feature: SHSTK'
//# check: readelf -nW $OUT | grep 'x86 ISA needed: .*x86-64-v2'
//# run
//# peers: ld
int main(void) { return 0; }
