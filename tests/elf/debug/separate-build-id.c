// A build id names the debug file as well: it is another one where only debug information differs, and
// the same wherever the files are. gdb finds the debug file by it.
//# requires: gdb
//# driver: gcc
//# peers: none
//# sh: sh ids.sh
//# run: exit=0
int main(void) { return 0; }
//# file: ids.sh
set -e
mkdir -p one two store/.build-id
link() { gcc -B${LD%/*} -g -c $1 -o part.o; gcc -B${LD%/*} part.o -o $2 -Wl,--build-id,--separate-debug-file"$3"; }
id() { readelf -n $1 | sed -n 's/.*Build ID: //p'; }
cp program.txt program.c
link program.c one/program ''
link program.c two/elsewhere =two/other.dbg
test -n "$(id one/program)"
test "$(id one/program)" = "$(id two/elsewhere)"
for f in one/program two/elsewhere; do objcopy -O binary -j .text $f $f.text; done
cmp one/program.text two/elsewhere.text
{ echo; cat program.txt; } >program.c
link program.c two/longer ''
objcopy -O binary -j .text two/longer two/longer.text
cmp one/program.text two/longer.text
test "$(id one/program)" != "$(id two/longer)"
id=$(id two/longer); rest=${id#??}
mkdir -p store/.build-id/${id%$rest}
mv two/longer.dbg store/.build-id/${id%$rest}/$rest.debug
gdb -nx -batch -iex "set debug-file-directory $PWD/store" -ex 'info line five' two/longer | grep -q 'Line 3 of'
//# file: program.txt

int five(void) { return 5; }
int main(void) { return five(); }
