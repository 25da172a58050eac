// -d gives commons their place even with -r.
//# driver: ld
//# compile: -fcommon
//# link: -r -d
//# symbol: common section=.bss
//# peers: ld
int common;
