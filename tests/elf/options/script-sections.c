// -T with commands that lay the output out is refused: the output would not be what the script says.
//# peers: none
//# link: main.o -T layout.txt
//# expect-error: layout\.txt:2: SECTIONS is not supported yet
int main(void) { return 0; }
//# file: layout.txt
ENTRY(main)
SECTIONS { . = 0x10000000; .text : { *(.text) } }
