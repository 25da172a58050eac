// The layout that --verbose prints between two lines, as GNU ld prints its script, gives with -T
// what is linked without a script, whatever options say of the layout.
//# driver: g++
//# requires: sed
//# peers:
//# compile: -O1 -ffunction-sections -fPIC
//# variant: plain: -pie main.o -Wl,--defsym=answer=main+4
//# @plain check: sh again.sh -pie -Wl,--defsym=answer=main+4
//# @plain run: stdout="thrown 12 7 5\n"
//# variant: now: -pie main.o -Wl,-z,now,-z,separate-loadable-segments
//# @now check: sh again.sh -pie -Wl,-z,now,-z,separate-loadable-segments
//# variant: norelro: -no-pie main.o -Wl,-z,norelro
//# @norelro check: sh again.sh -no-pie -Wl,-z,norelro
//# variant: prefixes: -pie main.o -Wl,-z,keep-text-section-prefix,-z,keep-data-section-prefix
//# @prefixes check: sh again.sh -pie -Wl,-z,keep-text-section-prefix,-z,keep-data-section-prefix
//# @prefixes section: .data.hot size=4
//# @prefixes section: .text.exit
//# variant: late: -no-pie main.o -Wl,-Trodata-segment=0x800000,-z,lrodata-after-bss
//# @late check: sh again.sh -no-pie -Wl,-Trodata-segment=0x800000,-z,lrodata-after-bss
//# variant: shared: -shared main.o -Wl,--emit-relocs
//# @shared check: sh again.sh -shared -Wl,--emit-relocs
#include <cstdio>
#include <stdexcept>
thread_local int counter = 2;
thread_local int zeros[4];
__attribute__((section("apart"))) int mine = 3;
__attribute__((section(".data.hot.x"))) int hot = 4;
__attribute__((section(".text.exit.x"))) int leave() { return 5; }
__attribute__((constructor(150))) void first() { counter += 10; }
extern "C" int __start_apart[];
int main() {
    try {
        throw std::runtime_error("thrown");
    } catch (std::exception &e) {
        std::printf("%s %d %d %d\n", e.what(), counter + zeros[1], __start_apart[0] + hot, leave());
    }
}
//# file: again.sh
LD="g++ -B$(dirname "$LD")"
$LD "$@" main.o -Wl,--verbose -o printed | sed '1,/^=====/d;/^=====/,$d' >layout.ld
grep -q AUTOMATIC_LAYOUT layout.ld && $LD "$@" main.o -Wl,-T,layout.ld -o again && cmp again "$OUT"
