// Plugins are called although TMPDIR names no directory: GCC takes /tmp in its place.
//# peers: ld
//# compile: -O1 -flto
//# sh: env TMPDIR=/nonexistent gcc -O1 -flto -B$(dirname $LD) main.o -o x && test -s x
//# link: -flto -O1
//# run: exit=7
int main(void) { return 7; }
