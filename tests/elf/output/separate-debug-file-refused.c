// A debug file is made beside a whole ELF file with section headers, and is another file.
//# peers: none
//# driver: ld
//# variant: relocatable: -r --separate-debug-file
//# variant: format: --oformat=binary --separate-debug-file
//# variant: headers: -z nosectionheader --separate-debug-file
//# variant: same: --separate-debug-file=out
//# @relocatable,format,headers expect-error: --separate-debug-file may not be used together
//# @same expect-error: --separate-debug-file=out: this is the output
void _start(void) {}
