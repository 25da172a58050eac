// With --icf=safe a function that is exported keeps its address: others may compare it.
//# compile: -O2 -ffunction-sections -fPIC -fno-ipa-icf -fno-ipa-cp -fno-inline
//# peers: lld
//# driver: ld
//# link: -shared --icf=safe
//# symbol: exported_b value!=symbol(exported_a).value
volatile int sink;
int exported_a(int x) { return sink += x; }
int exported_b(int x) { return sink += x; }
