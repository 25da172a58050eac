// -r with a script that lays the output out is refused: the output would not be what the script says.
//# driver: ld
//# peers: none
//# link: -r main.o -T layout.ld
//# expect-error: layout\.ld:1: a script that lays out the output of -r is not supported yet
int main(void) { return 0; }
//# file: layout.ld
SECTIONS { .text : { *(.text) } }
