// What --reproduce packs can be linked again, in another place, by the compiler's plugin of the system, which asks
// for the compiler in variables. lld takes no plugins.
//# peers:
//# requires: tar
//# sh: rm -rf again.tar again
//# compile: -flto -frandom-seed=1
//# link: main.o second.o -flto -Wl,--build-id=none -Wl,--reproduce=again.tar
//# check: tar -xf again.tar && cd again && COLLECT_GCC=gcc COLLECT_GCC_OPTIONS="'-O0'" $LD @response.txt && cmp out ../out
//# run: exit=3
int second(void);
int main(void) { return second(); }
//# file: second.c
int second(void) { return 3; }
