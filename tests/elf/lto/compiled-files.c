// What a plugin compiles is no input that anybody has made: it is in no list of inputs and no
// archive to link again from.
//# compile: -O2 -flto -fno-fat-lto-objects
//# link: main.o -flto -Wl,--dependency-file=inputs -Wl,--reproduce=again.tar
//# run: exit=0
//# check: grep -q main.o: inputs && ! grep -q skald-lto inputs
//# check: tar tf again.tar >list && grep -q main.o list && ! grep -q skald-lto list
//# peers: none
int main(void) { return 0; }
