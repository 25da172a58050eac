// Without jumps to the next basic block a program does what it did, and its text is smaller, in
// whatever order its blocks are.
//# driver: clang++-19
//# cc: clang-19
//# compile: -O2 -fbasic-block-sections=all -fPIE
//# link: -pie -Wl,--optimize-bb-jumps
//# peers: lld
//# requires: size
//# run: stdout="-5 31 987 seven\n"
//# variant: plain:
//# @plain check: clang++-19 main.o -o full -pie && size -A full $OUT | awk '$1 == ".text" { a[n++] = $2 } END { exit !(a[1] + 50 < a[0]) }'
//# variant: icf: -Wl,--icf=all
//# variant: gc: -Wl,--gc-sections
//# variant: relocs: -Wl,--emit-relocs,-Map=map
//# variant: shuffled: -Wl,--shuffle-sections=*=3
#include <cstdio>
#include <stdexcept>
#define OWN __attribute__((noinline))
OWN int choose(int x) {
    switch (x) {
    case 0: return 5;
    case 1: return x * x + 4;
    case 2: return 9;
    case 3: return x * 77;
    case 4: return 12;
    default: return -x;
    }
}
OWN int loop(int n) {
    int sum = 0;
    for (int i = 0; i < n; i++) {
        if (i % 3 == 0) sum += choose(i % 8);
        else if (i % 5 == 1) sum -= i;
        else while (sum > 20) sum -= 7;
    }
    return sum;
}
OWN int thrower(int x) {
    if (x % 7 == 3) throw std::runtime_error("seven");
    if (x > 9) throw x;
    return x;
}
OWN const char *catcher(int n, int &sum) {
    const char *text = "none";
    for (int i = 0; i < n; i++) {
        try { sum += thrower(i); }
        catch (std::runtime_error &) { text = "seven"; }
        catch (int value) { sum -= value; }
    }
    return text;
}
OWN long fib(int n) { return n < 2 ? n : fib(n - 1) + fib(n - 2); }
int main() {
    int sum = 0;
    const char *text = catcher(12, sum);
    printf("%d %d %ld %s\n", loop(17), sum, fib(16), text);
}
