// The map has a table of common symbols; `*fill*` stands for what is between sections; merged
// strings are told with what they were.
//# machines: x86-64 i386 x32 strings are not aligned
//# compile: -fcommon -O1 -ffunction-sections -fno-pic
//# link: main.o other.o -no-pie -Wl,-Map=list,--defsym=answer=0x2a
//# peers: ld
//# run: exit=15
//# file-matches: list ^Allocating common symbols\nCommon symbol {7}size {14}file\n\n
//# file-matches: list ^ready {15}0x4 {15}main.o$
//# file-matches: list ^a_common_name_of_length\n {20}0x64 {14}main.o$
//# file-matches: list ^ COMMON {9}0x[0-9a-f]{16} +0x[0-9a-f]+ main.o\n( \*fill\*.*\n)?( COMMON .* main.o\n)?( {16}0x[0-9a-f]{16} {16}\w+\n)* {16}0x[0-9a-f]{16} {16}ready$
//# file-matches: list ^ \*fill\* {9}0x[0-9a-f]{16} {8}0x[0-9a-f]+ $
//# file-matches: list ^ \.rodata\.str1\.1\n {16}0x[0-9a-f]{16} +0x[0-9a-f]+ (main|other).o$
//# file-matches: list ^ {16}0x0{14}2a {16}answer = 0x2a$
int ready;
char a_common_name_of_length[100];
const char *other(void);
int main(void) { return other()[0] == "same text"[0] ? 15 + ready + a_common_name_of_length[3] : 0; }
//# file: other.c
__attribute__((aligned(64))) const char *other(void) { return "same text"; }
