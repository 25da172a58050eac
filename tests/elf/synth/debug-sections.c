// Relocations in debug sections are applied; a debugger finds lines.
//# compile: -g -ffunction-sections
//# link: -Wl,--gc-sections
//# check: addr2line -e $OUT $(nm $OUT | awk '$3=="here"{print $1}') | grep -q main.c:7
//# requires: addr2line

int here(void) { return 0; }
int dead(void) { return 1; }
int main(void) { return here(); }
