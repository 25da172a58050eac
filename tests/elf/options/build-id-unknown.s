// A style of --build-id that nobody knows is a warning, and there is no build id; only the last
// --build-id counts.
//# variant: word: --build-id=sha1 --build-id=foo
//# variant: number: --build-id=0xzz
//# variant: odd: --build-id=0x123
//# variant: none: --build-id=
//# variant: later: --build-id=foo --build-id=0x1234
//# variant: off: --build-id=foo --build-id=none
//# @word,number,odd,none warning: build-id
//# @word,number,odd,none,off no-section: .note.gnu.build-id
//# @later,off no-warning: build-id
//# @later section: .note.gnu.build-id
//# peers: ld
        .globl  _start
_start: ret
