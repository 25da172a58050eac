// A name in a version script that nothing defines is nothing to speak of: one list serves many builds
// of a library, and --fatal-warnings must not break those.
//# driver: gcc
//# compile: -fPIC
//# link: -shared main.o -Wl,--version-script=v.map -Wl,--fatal-warnings
//# dynsym: one@@V1
//# no-warning: .
//# peers: ld
int one(void) { return 1; }
//# file: v.map
V1 { global: one; absent; extern "C++" { "absent()"; }; local: *; };
