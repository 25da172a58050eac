// -z lam-u48 and -z lam-u57 mark the output; -z lam-report tells of objects without the marks that no
// other option gives to the output.
//# machines: x86-64 properties of 64-bit code
//# variant: u48: -z lam-u48
//# variant: u57: -z lam-u57 -z lam-u57-report=warning
//# variant: error: -z lam-u48-report=error
//# variant: both: -z lam-report=warning
//# link: main.o
//# @u48 check: readelf -nW $OUT | grep 'LAM_U48, LAM_U57'
//# @u57 check: readelf -nW $OUT | grep 'feature: LAM_U57'
//# @u57 no-warning: LAM_U57
//# @both warning: main\.o.*LAM_U57
//# @both warning: main\.o.*LAM_U48
//# @error expect-error: main\.o.*LAM_U48
//# peers:
.globl _start
_start: ret
