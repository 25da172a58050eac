// A name in a version script that nothing defines is an error only if asked for.
//# driver: gcc
//# compile: -fPIC
//# variant: allowed: -Wl,--undefined-version
//# variant: error: -Wl,--no-undefined-version
//# link: -shared -Wl,--version-script=v.map
//# @allowed dynsym: one@@V1
//# @error expect-error: absent
//# peers: lld
int one(void) { return 1; }
//# file: v.map
V1 { global: one; absent; local: *; };
