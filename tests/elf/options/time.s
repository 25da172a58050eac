# --time prints the stages with wall, user and system time and the serial share, also of -r.
//# driver: ld
//# peers: none
//# variant: image: -static --time
//# variant: relocatable: -r --time
//# warning: ^ +wall ms +user ms +sys ms +serial +phase$
//# warning: ^( +[0-9]+\.[0-9]+){3} +[0-9]+%  extract$
//# warning: ^( +[0-9]+\.[0-9]+){3} +[0-9]+%  write$
        .globl  _start
_start: ret
