// The program has its name, and its mode, before the debug file is begun: it is whole although the
// debug file cannot be written. That is an error all the same.
//# peers: none
//# driver: ld
//# compile: -g -ffreestanding
//# sh: rm -f program kept.dbg; umask 022
//# sh: if "$LD" main.o -o program --separate-debug-file=/dev/full 2>err; then exit 1; fi; grep -q 'cannot write /dev/full: No space left' err; test $(grep -c error: err) = 1
//# sh: code=0; ./program || code=$?; test $code = 3; test "$(stat -c %a program)" = 755; ! readelf -SW program | grep -q debug_info
//# sh: readelf -p .gnu_debuglink program | grep -q ' full$'
//# sh: ! "$LD" main.o -o program --only-keep-debug --separate-debug-file 2>err
//# link: main.o --separate-debug-file=kept.dbg --build-id -Map=kept.map
//# check: grep -q debug_info kept.map; test "$(stat -c %a kept.dbg)" = 644
//# run: exit=3
void _start(void) { __asm__ volatile("mov $60, %eax; mov $3, %edi; syscall"); }
