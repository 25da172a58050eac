// Symbols in .eh_frame, as start files have them, stay at their records.
//# compile: -fasynchronous-unwind-tables
//# link: -static -nostdlib -Wl,-e,start,--gc-sections
//# run: exit=42
static char first[] __attribute__((section(".eh_frame"), aligned(8))) = {};
extern char last[];
int dead(void) { return 1; }
void start(void) {
  unsigned *cie = (unsigned *)first;
  unsigned *fde = (unsigned *)(first + cie[0] + 4);
  int right = cie[0] != 0 && cie[1] == 0 && fde[1] == cie[0] + 8 && last > (char *)fde;
  __asm__ volatile("syscall" : : "a"(60), "D"(right ? 42 : 1));
}
//# file: end.c
char last[] __attribute__((section(".eh_frame"), aligned(8))) = {};
