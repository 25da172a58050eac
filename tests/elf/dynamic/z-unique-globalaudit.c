// -z globalaudit and -z unique are flags for the loader.
//# driver: gcc
//# compile: -fPIC
//# variant: both: -Wl,-z,globalaudit,-z,unique
//# variant: neither: -Wl,-z,nounique
//# link: -shared
//# @both check: readelf -dW $OUT | grep ' (FLAGS_1).*GLOBAUDIT'
//# @both check: readelf -d $OUT | grep 'GNU_FLAGS_1.*UNIQUE'
//# @neither check: ! readelf -d $OUT | grep GNU_FLAGS_1
//# peers: ld
int f(void) { return 0; }
