// --noinhibit-exec: what would be errors are warnings, and the first definition counts.
//# peers: lld
//# compile: -fPIC
//# link: main.o again.o -Wl,--noinhibit-exec
//# warning: (?i)duplicate symbol: value
//# warning: undefined symbol: missing
//# run: exit=3
//# file: main.c
int missing(void);
int value(void) { return 3; }
int main(int count, char **names) { return count > 9 ? missing() : value(); }
//# file: again.c
int value(void) { return 4; }
