// -z wxneeded and -z nobtcfi are marks for OpenBSD's kernel.
//# @both machines: x86-64 OpenBSD marks code of x86
//# variant: both: -z wxneeded -z nobtcfi
//# variant: neither:
//# @both check: readelf -lW $OUT | grep -i '5a3dbe7\|OPENBSD_WXNEED'
//# @both check: readelf -lW $OUT | grep -i '5a3dbe8\|OPENBSD_NOBTCFI'
//# @neither check: ! readelf -lW $OUT | grep -i '5a3dbe\|OPENBSD'
//# peers: lld
.globl _start
_start: ret
