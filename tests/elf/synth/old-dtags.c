// With the tags of old, what DT_FLAGS would say has tags of its own.
//# driver: ld
//# compile: -fPIC
//# link: -shared -rpath /lib/here --disable-new-dtags -z now
//# peers: ld
//# dynamic: RPATH
//# dynamic: BIND_NOW
//# no-dynamic: RUNPATH
//# no-dynamic: FLAGS
//# dynamic: FLAGS_1
int f(void) { return 1; }
