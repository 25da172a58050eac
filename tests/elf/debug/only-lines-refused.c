// Debug information that is broken cannot be reduced, and what is needed for something else is not
// left out.
//# peers: none
//# driver: ld
//# compile: -g -gdwarf-5 -ffreestanding
//# sh: refused() { expected=$1; shift; rm -f y; if "$LD" -o y "$@" 2>err; then exit 1; fi; grep -q -e "$expected" err || { cat err; exit 1; }; test $(grep -c error: err) = 1; test ! -e y; }; head -c 30 /dev/zero >zeros; objcopy --update-section .debug_info=zeros main.o zeros.o; printf '\377' >long; objcopy -O binary -j .debug_info --set-section-flags .debug_info=alloc main.o info; { cat long; tail -c +2 info; } >longer; objcopy --update-section .debug_info=longer main.o long.o; refused 'zeros.o: section .debug_info: ' zeros.o --strip-debug-non-line; refused 'long.o: section .debug_info: unit is longer than its section' long.o --strip-debug-non-line; refused '-r and --strip-debug-non-line may not be used together' main.o -r --strip-debug-non-line; refused '--strip-debug-non-line and --dwp may not' main.o --dwp=x.dwp --strip-debug-non-line; refused '--strip-debug and --dwp may not .*--separate-debug-file' main.o --dwp=x.dwp -S; refused '--strip-all and --dwp may not' main.o --dwp=x.dwp -s; test ! -e x.dwp
//# link: main.o --strip-debug-non-line
void _start(void) {}
