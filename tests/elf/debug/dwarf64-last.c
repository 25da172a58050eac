// Units of 64-bit DWARF stand behind those of 32 bits, whose references reach 4 GiB only; in all debug
// sections, compressed inputs too.
//# requires: readelf gcc
//# variant: plain: | -g
//# variant: compressed: | -g -gz=zlib
//# sh: gcc -g -gdwarf64 -c -x c wide.txt -o wide.o
//# link: wide.o main.o
//# check: readelf --debug-dump=info $OUT | grep -o 'Length: .*' | head -2 | tr -d '\n' | grep -q '32-bit.*64-bit'
//# run: exit=7
//# peers: none
int wide(int);
int main(void) { return wide(3); }
//# file: wide.txt
int wide(int x) { return x + 4; }
