# Scripts that name each other, and a few that name very many, end with an error.
//# driver: ld
//# variant: cycle: cycle.ld
//# variant: many: a.ld
//# @cycle expect-error: cycle\.ld: scripts name each other too deeply
//# @many expect-error: inputs name more than 10000 scripts
//# peers: none
        .globl  _start
_start: ret
//# file: cycle.ld
INPUT(cycle.ld cycle.ld)
//# file: a.ld
INPUT(b.ld b.ld b.ld b.ld b.ld b.ld b.ld b.ld b.ld b.ld b.ld b.ld b.ld b.ld b.ld b.ld)
//# file: b.ld
INPUT(c.ld c.ld c.ld c.ld c.ld c.ld c.ld c.ld c.ld c.ld c.ld c.ld c.ld c.ld c.ld c.ld)
//# file: c.ld
INPUT(d.ld d.ld d.ld d.ld d.ld d.ld d.ld d.ld d.ld d.ld d.ld d.ld d.ld d.ld d.ld d.ld)
//# file: d.ld
INPUT(e.ld e.ld e.ld e.ld e.ld e.ld e.ld e.ld e.ld e.ld e.ld e.ld e.ld e.ld e.ld e.ld)
//# file: e.ld
EXTERN(one)
