// A distributor that fails, cannot be run or does not make what it should is an error, and nothing
// is left; options reach the compiler; a link that ends meanwhile takes all with it.
//# driver: ld
//# cc: clang-19
//# requires: clang-19
//# requires: python3
//# peers: none
//# sh: clang-19 -flto=thin -O1 -xc -c part.inc -o part.o && echo $LD part.o -e f -o x '"$@"' '2>messages' >link.sh
//# sh: ! sh link.sh --thinlto-distributor=false && grep -q 'distributor false has failed with status 1' messages
//# sh: ! sh link.sh --thinlto-distributor=./none && grep -q 'distributor ./none cannot be run: No such file' messages
//# sh: ! sh link.sh --thinlto-distributor=true && grep -q 'x.lto-0/part.o.native.o of part.o is not there' messages
//# sh: ! sh link.sh --thinlto-distributor=sh --thinlto-distributor-arg=-c --thinlto-distributor-arg='kill -9 $$' && grep -q 'was ended by signal 9' messages
//# sh: ! sh link.sh --plugin-timeout=1 --thinlto-distributor=sh --thinlto-distributor-arg=-c --thinlto-distributor-arg='sleep 61.5 & sleep 61.5' && grep -q 'distributor sh has done nothing for 1 seconds and was ended (--plugin-timeout)' messages && test $(wc -l <messages) = 1 && ! ps -eo args | grep -qx 'sleep 61[.]5'
//# sh: test -z "$(ls -d *.lto-* 2>/dev/null)" && ! test -e x
//# sh: ! sh link.sh --thinlto-distributor=cat --thinlto-remote-compiler=/no/such --thinlto-remote-compiler-prepend-arg=first --thinlto-remote-compiler-arg=last -mllvm -inline-threshold=7 -plugin-opt=O1 && grep -q '"/no/such", "first", .*"-O1".*"-mllvm", "-inline-threshold=7".*"last"' messages
//# sh: sh link.sh --thinlto-distributor=sleep --thinlto-distributor-arg=60 --thinlto-index-only && test -e part.o.thinlto.bc && ! test -e x
//# sh: $LD part.o -e f -o x --thinlto-distributor=sh --thinlto-distributor-arg=started.inc & pid=$!; for i in $(seq 200); do test -e started && break; sleep 0.05; done; kill $pid; for i in $(seq 200); do ls -d *.lto-* >/dev/null 2>&1 || break; sleep 0.05; done; ! ls -d *.lto-* 2>/dev/null && ! kill -0 $(cat started) 2>/dev/null && ! test -e x
//# link: main.o
void _start(void) {}
//# file: part.inc
int f(int x) { return x + 1; }
//# file: started.inc
echo $$ >new && mv new started && sleep 60
