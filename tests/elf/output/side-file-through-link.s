// A list goes where a symbolic link leads to, though nothing is there yet.
//# peers: none
//# sh: rm -f linked target.map && ln -s target.map linked
//# link: -Map=linked
//# check: test -L linked && test -s target.map
.globl _start
_start: ret
