// What plugins are told of names that the linker defines: those that stand for sections are not
// defined yet, as in GNU ld; a section may not be there in the end.
//# compile: -O1 -flto -fno-fat-lto-objects -fPIC
//# peers: none
//# sh: gcc -O1 -xc -c code.inc -o code.o
//# sh: printf '%s' 'gcc -flto -save-temps "$1" $2 main.o code.o -o "$3"; cut -d" " -f3- "$3.res"' >told.sh
//# sh: for mode in -no-pie -pie -static -static-pie -shared; do sh told.sh -B$(dirname $LD) $mode ours >ours.said && sh told.sh -fuse-ld=bfd $mode theirs >theirs.said && grep -q "UNDEF __start_entries" ours.said && diff ours.said theirs.said || exit 1; done
//# link: main.o code.o -flto
//# run: exit=0
#define NAMES(X)                                                                                   \
    X(_end) X(end) X(edata) X(__bss_start) X(etext) X(__executable_start) X(__ehdr_start)          \
    X(_DYNAMIC) X(__init_array_start) X(__preinit_array_end) X(__rela_iplt_start)                  \
    X(__GNU_EH_FRAME_HDR) X(__start_entries) X(__stop_entries) X(__start_nothing)                  \
    X(__start_own_array)
#define DECLARE(name) __attribute__((weak)) extern char name[];
#define STORE(name) seen = name;
NAMES(DECLARE)
char *volatile seen;
int main(void) {
    NAMES(STORE)
    return __stop_entries - __start_entries != 4;
}
//# file: code.inc
__attribute__((section("entries"), used)) int entry = 1;
__attribute__((section("own_array"), used)) int of_array = 1;
