// -r folds nothing. lld refuses the two together, mold accepts them.
//# peers: none
//# compile: -O2 -ffunction-sections -fno-ipa-icf -fno-ipa-cp -fno-inline
//# relocatable: both.o main.o -Wl,--icf=all
//# link: both.o
//# symbol: second value!=symbol(first).value
//# run
volatile int sink;
int first(void) { return sink; }
int second(void) { return sink; }
int main(void) { return first() + second(); }
