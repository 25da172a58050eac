# --time-trace writes stages, inputs and spans in Chrome's format; short ones only if asked for.
//# driver: ld
//# peers: none
//# requires: python3
//# variant: image: -static --time-trace=trace.json --time-trace-granularity=0
//# variant: relocatable: -r --time-trace=trace.json --time-trace-granularity=0
//# variant: beside: -static --time-trace --time-trace-granularity=0
//# variant: empty: -static --time-trace= --time-trace-granularity=0
//# variant: coarse: -static --time-trace=trace.json --time-trace-granularity=1000000000
//# variant: stdout: -static --time-trace=- --time-trace-granularity=0
//# @image,relocatable check: python3 -m json.tool trace.json
//# @image,relocatable file-matches: trace.json "name":"extract","cat":"phase"
//# @image,relocatable file-matches: trace.json "name":"parse","cat":"worker".*"detail":"main.o"
//# @image,relocatable file-matches: trace.json "name":"write span","cat":"worker"
//# @image,relocatable file-matches: trace.json "name":"ExecuteLinker"
//# @image,relocatable file-matches: trace.json "beginningOfTime":\d{16}
//# @beside,empty file-matches: out.time-trace "name":"write","cat":"phase"
//# @coarse check: python3 -m json.tool trace.json
//# @coarse no-file-matches: trace.json "cat"
//# @stdout stdout: "name":"open inputs","cat":"phase"
        .globl  _start
_start: ret
