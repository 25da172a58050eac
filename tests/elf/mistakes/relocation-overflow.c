// An array of more than 2 GiB, and a variable behind it.
//# peers: none
//# compile: -g -O1 -fno-pie
//# link: -no-pie
//# expect-error: ^ld: error: main\.o:\(function main: \.text(\.\w+)?\+0x\w+\): relocation R_X86_64_PC32 out of range: \d+ is not in \[-2147483648, 2147483647\]; references 'after'$
//# expect-error: ^>>> referenced by main\.c:\d+ \(\S+/main\.c:\d+\)$
//# expect-error: ^>>> defined in after\.o$
//# expect-error: ^>>> \d+ \(0x\w+\) above the upper limit$
//# expect-error: ^>>> the largest section is \.bss of main\.o with 3072 MiB: compile that file and those that use it with -mcmodel=medium or -mcmodel=large$
//# file: main.c
static char table[3u << 30];
extern int after;
int main(int count, char **names) {
  table[count] = 1;
  return table[count + 1] + after;
}
//# file: after.c
int after;
