// Dynamic relocations against one symbol stand together.
//# driver: gcc
//# compile: -fPIC
//# link: -shared -nostdlib
//# check: readelf -rW $OUT | grep R_X86_64_64 | awk '{print $5}' | uniq | sort | uniq -d | (! grep .)
extern int a, b;
int *table[] = {&a, &b, &a, &b, &a, &b};
