// A distributor compiles the modules of ThinLTO: files by themselves, members of archives, and what
// objects of code hold beside it. Modules without an index stay with the plugin. All comes out as if
// the plugin had compiled it, and nothing is left.
//# cc: clang-19
//# requires: clang-19
//# requires: python3
//# compile: -O2 -flto=thin
//# variant: program: -fPIE -pie
//# variant: fixed: -fno-pie -no-pie
//# variant: library: -fPIC -shared
//# sh: mkdir -p below other && for part in nested elsewhere member; do clang-19 -O2 -flto=thin -fPIC -xc -c $part.inc -o $part.o; done
//# sh: rm -f lib.a && llvm-ar-19 rc lib.a member.o && mv nested.o below && mv elsewhere.o other
//# sh: clang-19 -O2 -flto -fPIC -xc -c regular.inc -o regular.o
//# sh: clang-19 -O2 -flto=thin -ffat-lto-objects -fPIC -xc -c fat.inc -o fat.o
//# link: main.o below/nested.o other/../other/elsewhere.o regular.o fat.o lib.a -flto=thin -O2 -Wl,--fat-lto-objects -Wl,--thinlto-distributor=python3,--thinlto-distributor-arg=run.inc,--thinlto-distributor-arg=extra
//# sh: echo gcc -B$(dirname $LD) main.o below/nested.o other/../other/elsewhere.o regular.o fat.o lib.a -flto=thin -O2 -Wl,--fat-lto-objects -o local '"$@"' >local.sh
//# @program sh: clang-19 -flto=thin -O2 -fPIE -c main.c -o main.o && sh local.sh -pie
//# @fixed sh: clang-19 -flto=thin -O2 -fno-pie -c main.c -o main.o && sh local.sh -no-pie
//# @library sh: clang-19 -flto=thin -O2 -fPIC -c main.c -o main.o && sh local.sh -shared
//# check: cmp local $OUT
//# check: grep -q '"linker_output": "[^"]*"' jobs && grep -q below/nested.o jobs && ! ls -d *.lto-* 2>/dev/null
//# @program run: exit=63
//# peers: none
int nested(int), member(int), regular(int), fat(int), elsewhere(int);
int shared_by_all(int x) { return x + 1; }
int main(void) { return nested(1) + member(2) + regular(4) + fat(8) + elsewhere(16); }
//# file: nested.inc
int shared_by_all(int);
static int twice(int x) { return x * 2; }
int nested(int x) { return twice(shared_by_all(x)) / 2; }
//# file: member.inc
int member(int x) { return x + 7; }
//# file: elsewhere.inc
int elsewhere(int x) { return x + 3; }
//# file: regular.inc
int regular(int x) { return x * 3; }
//# file: fat.inc
int fat(int x) { return x + 13; }
//# file: run.inc
import json, shutil, subprocess, sys
assert sys.argv[1] == "extra"
shutil.copy(sys.argv[2], "jobs")
jobs = json.load(open(sys.argv[2]))
assert "--target=x86_64-pc-linux-gnu" in jobs["common"]["args"]
for job in jobs["jobs"]:
    subprocess.run(jobs["common"]["args"] + job["args"], check=True)
    assert job["inputs"][0] in job["args"] and job["outputs"][0] in job["args"]
