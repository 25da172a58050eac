# The output has the newest version of the privileged architecture of all objects.
//# driver: ld
//# link: -e _start main.o more.o last.o
//# check: readelf -A $OUT | grep -q 'priv_spec: 1'
//# check: readelf -A $OUT | grep -q 'priv_spec_minor: 12'
//# peers: ld
.attribute priv_spec, 1
.attribute priv_spec_minor, 11
.globl _start
_start: ret
//# file: more.s
.attribute priv_spec, 1
.attribute priv_spec_minor, 12
//# file: last.s
nop
