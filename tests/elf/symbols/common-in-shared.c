// A common symbol in a library is exported from .bss.
//# driver: gcc
//# compile: -fPIC -fcommon
//# link: -shared
//# dynsym: value type=OBJECT section=.bss size=4
int value;
