// --keep-unique: the symbol's section is not folded, and none is folded into it. A symbol that is
// not there is told of.
//# peers: lld
//# compile: -O2 -ffunction-sections -fno-ipa-icf -fno-ipa-cp -fno-inline
//# link: -Wl,--icf=all,--keep-unique=first,--keep-unique,absent
//# warning: could not find symbol absent to keep unique
//# symbol: second value!=symbol(first).value
//# symbol: third value=symbol(second).value
//# run
volatile int sink;
int first(void) { return sink; }
int second(void) { return sink; }
int third(void) { return sink; }
int main(void) { return first() + second() + third(); }
