// --physical-image-base: where a loader puts the segments, one after the other, and symbols that
// tell it of sections.
//# machines: x86-64 aarch64 i386 x32 bytes of words are turned around
//# variant: moved: --physical-image-base=0x1000000
//# variant: same: --physical-image-base=0x400000
//# link: --image-base=0x400000
//# segment: LOAD address=0x400000
//# @moved segment: LOAD address=0x400000 physical=0x1000000
//# @moved no-segment: LOAD physical<0x1000000
//# @same segment: LOAD address=0x400000 physical=0x400000
//# @same segment: LOAD flags=RW physical=section(words).address
//# @same word: section(words).address = section(words).address
//# @same word: section(words).address+1word = section(words).end
//# @moved check: test 0x$(readelf -xwords $OUT | sed -n 's/.*0x[0-9a-f]* \(..\)\(..\)\(..\)\(..\).*/\4\3\2\1/p') = $(readelf -lW $OUT | awk '$1=="LOAD" && $7=="RW" {sub("0x0*","0x0",$4); print $4}')
//# peers: mold
.globl _start
_start: ret
.section words,"aw"
.dc.a __phys_start_words
.dc.a __phys_stop_words
