// A function that link-time optimisation moved to another unit has its name from an entry of the unit
// that it was in. gdb finds it where its code is.
//# requires: gcc gdb readelf
//# sh: gcc -g -flto -O1 -x c -c part.txt -o slim && gcc -g -flto -r -flinker-output=nolto-rel slim -o whole.o
//# driver: gcc
//# compile: -g
//# link: main.o whole.o -Wl,--gdb-index
//# check: readelf --debug-dump=gdb_index $OUT >index
//# check: grep -A1 '\] part:' index | grep -q 'global, function'
//# check: test $(sed -n '/\] part:/,/^\[/p' index | grep -c 'global, function') -ge 2
//# check: gdb -nx -batch -ex 'break part' -ex run -ex 'print counter' $OUT >said 2>&1
//# check: grep -q 'Breakpoint 1 at .*: file .*part.txt, line 2' said
//# check: grep -Eq '= (5|6)$' said
//# run: exit=6
//# peers: none
int part(int);
int main(void) { return part(1); }
//# file: part.txt
static volatile int counter = 5;
__attribute__((noinline)) int part(int x) { return counter += x; }
