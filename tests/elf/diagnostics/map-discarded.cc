// The map lists what garbage collection, COMDAT groups and folding removed, unless that is not wanted.
//# driver: g++
//# compile: -O1 -ffunction-sections -fno-inline -fno-ipa-icf
//# link: -Wl,--gc-sections
//# peers: ld
//# variant: listed: -Wl,-Map=list
//# variant: not: -Wl,-Map=list,--no-print-map-discarded
//# variant: folded: -Wl,-Map=list,--icf=all,--demangle
//# @folded peers: none
//# run: exit=4
//# @listed file-matches: list ^Discarded input sections\n\n
//# @listed file-matches: list ^ \.text\._Z6unusedv\n {16}0x0{16} +0x[0-9a-f]+ main.o$
//# @listed file-matches: list ^ \.text\._Z6sharedi\n {16}0x0{16} +0x[0-9a-f]+ other.o$
//# @listed file-matches: list ^ \.text\._Z6sharedi\n {16}0x0*[1-9a-f][0-9a-f]* +0x[0-9a-f]+ main.o$
//# @not no-file-matches: list Discarded|_Z6unusedv
//# @folded file-matches: list ^ \.text\._Z6secondv\n {16}0x0{16} +0x[0-9a-f]+ main.o$
//# @folded file-matches: list ^ \.text\._Z5firstv\n {16}(0x[0-9a-f]{16}) +0x[0-9a-f]+ main.o\n {16}0x[0-9a-f]{16} {16}first\(\)\n {16}0x[0-9a-f]{16} {16}second\(\)$
inline int shared(int x) { return x + 1; }
int unused() { return 3; }
int first() { return 1; }
int second() { return 1; }
int other(int);
int main() { return shared(other(0)) + first() + second(); }
//# file: other.cc
inline int shared(int x) { return x + 1; }
int other(int x) { return shared(x); }
