// Objects that a distributor has made are found again in the cache, until the policy removes them;
// those of other inputs or options are others.
//# driver: ld
//# cc: clang-19
//# requires: clang-19
//# requires: python3
//# peers: none
//# sh: clang-19 -flto=thin -O1 -xc -c part.inc -o part.o && clang-19 -flto=thin -O1 -DOTHER -xc -c part.inc -o other.o
//# sh: rm -rf cache jobs && : >jobs && echo $LD -e f --thinlto-distributor=python3 --thinlto-distributor-arg=run.inc --thinlto-cache-dir=cache '"$@"' >link.sh
//# sh: sh link.sh part.o -o a && sh link.sh part.o -o b && cmp a b && test $(wc -l <jobs) = 1
//# sh: sh link.sh other.o -o c && sh link.sh part.o -shared -o d && test $(wc -l <jobs) = 3 && ! cmp -s a c
//# sh: sh link.sh part.o -o a --thinlto-cache-policy=prune_interval=0s:cache_size_files=1 && test $(wc -l <jobs) = 3 && test $(ls cache/llvmcache-* | wc -l) = 1
//# sh: sh link.sh part.o -o b && cmp a b && test $(wc -l <jobs) = 3
//# sh: ! sh link.sh part.o -o e --thinlto-cache-policy=never 2>messages && grep -q 'thinlto-cache-policy: never is not understood' messages
//# link: main.o
void _start(void) {}
//# file: part.inc
#ifdef OTHER
int f(int x) { return x * 5; }
#else
int f(int x) { return x + 1; }
#endif
//# file: run.inc
import json, subprocess, sys
jobs = json.load(open(sys.argv[1]))
for job in jobs["jobs"]:
    subprocess.run(jobs["common"]["args"] + job["args"], check=True)
    print(job["args"], file=open("jobs", "a"))
