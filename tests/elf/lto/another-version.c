// An object of another GCC is an error that says which version made it and which the plugin is.
//# peers: none
//# sh: gcc -O1 -flto -fno-fat-lto-objects -xc -c part.inc -o part.o && name=$(readelf -SW part.o | grep -o '\.gnu\.lto_\.lto\.[0-9a-f]*' | head -1) && objcopy --dump-section $name=version part.o copy.o && printf '\011\000' | dd of=version conv=notrunc status=none && objcopy --update-section $name=version part.o
//# link: main.o part.o -flto -O1
//# expect-error: bytecode stream in file .part\.o. generated with LTO version 9\.
//# expect-error: instead of the expected
int part(void);
int main(void) { return part(); }
//# file: part.inc
int part(void) { return 7; }
