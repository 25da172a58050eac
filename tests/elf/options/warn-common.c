// --warn-common tells of common symbols that are joined.
//# compile: -fcommon
//# link: -Wl,--warn-common
//# warning: (?i)(common|value)
//# peers: ld
int value;
int main(void) { return value; }
//# file: b.c
int value = 0;
