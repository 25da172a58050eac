// --unresolved-symbols says of libraries too whether what they leave undefined is reported, also
// when a library is made.
//# driver: gcc
//# compile: -fPIC
//# shared: libx.so lib.o
//# variant: all: main.o -Wl,--unresolved-symbols=report-all
//# variant: objects: main.o -Wl,--unresolved-symbols=ignore-in-object-files
//# variant: shared-all: -shared -Wl,--unresolved-symbols=report-all
//# variant: shared-objects: -shared -Wl,--unresolved-symbols=ignore-in-object-files
//# variant: shared-own: -shared own.o -Wl,--unresolved-symbols=ignore-in-shared-libs
//# variant: none: main.o -Wl,--unresolved-symbols=ignore-all
//# variant: libraries: main.o -Wl,--unresolved-symbols=ignore-in-shared-libs
//# variant: shared: -shared
//# link: -Wl,--no-as-needed libx.so
//# @all,objects,shared-all,shared-objects expect-error: missing
//# @shared-own expect-error: absent
//# @none,libraries run: exit=0
//# @shared dynamic: NEEDED value="libx.so"
//# file: main.c
int main(void) { return 0; }
//# file: own.c
int absent(void);
int own(void) { return absent(); }
//# file: lib.c
int missing(void);
int use(void) { return missing(); }
