// .sframe is one table of the functions in the output, by address; an object joined by -r, which has
// several tables, comes to the same. PLTs are described as GNU ld does.
//# @shared machines: x86-64 the PLT has records of SFrame
//# machines: x86-64 aarch64 the assembler has no SFrame
//# driver: ld
//# compile: -O1 -ffunction-sections -Wa,--gsframe
//# requires: objdump readelf ld
//# peers: none
//# link: -e start
//# relocatable: joined.o main.o other.o
//# sh: ld -r main.o other.o -o by-peer.o
//# variant: all: main.o other.o
//# variant: joined: joined.o
//# variant: by-peer: by-peer.o
//# variant: reversed: other.o main.o
//# variant: gc: main.o other.o --gc-sections
//# variant: bb: main.o other.o --optimize-bb-jumps
//# variant: shared: main.o other.o -shared
//# section: .sframe type=PROGBITS flags=A align=8
//# segment: GNU_SFRAME flags=R sections=".sframe"
//# @all,joined,by-peer,bb check: ld main.o other.o -e start -o peer && for f in $OUT peer; do objdump --sframe $f | sed 1,3d | sed -E 's/pc = 0x[0-9a-f]+//;s/^ +0*[0-9a-f]+ +//' > $f.rows; done; cmp $OUT.rows peer.rows && grep -q 'idx .3.' peer.rows
//# @shared check: objdump --sframe $OUT | grep -q 'Num FDEs: 6' && objdump --sframe $OUT | grep -q 'STARTPC.m.'
//# @gc check: objdump --sframe $OUT | grep -q 'Num FDEs: 3'
//# @reversed check: a=$(nm $OUT | awk '$3 == "helper" { print $1 }'); objdump --sframe $OUT | grep 'idx .0.' | grep -q "pc = 0x$(echo $a | sed 's/^0*//'),"
int helper(int);
__attribute__((noinline)) int sum(int n) {
    int all = 0;
    for (int i = 0; i < n; i++) all += helper(i);
    return all;
}
int start(void) { return sum(3) != 6; }
//# file: other.c
__attribute__((noinline)) int helper(int x) { return x + 1; }
int unused(int x) { return helper(x) + helper(x + 1) + 7; }
