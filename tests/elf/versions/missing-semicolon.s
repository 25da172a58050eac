// What stands in a version script or a dynamic list ends in a semicolon, the node itself and a block of
// a language too; the last name of such a block need not. `global:` may be left out.
//# variant: node: -shared --version-script=node.map
//# variant: parent: -shared --version-script=parent.map
//# variant: name: -shared --version-script=name.map
//# variant: language: -shared --version-script=language.map
//# variant: empty: -shared --version-script=empty.map
//# variant: list: -pie --dynamic-list=list.txt
//# variant: symbols: -pie --export-dynamic-symbol-list=list.txt
//# variant: right: -shared --version-script=right.map
//# @node,parent,list,symbols expect-error: expected ';'|; expected|syntax error|unexpected EOF
//# @name,language,empty expect-error: ';'|; expected|syntax error
//# @right dynsym: f@@V
//# @right dynsym: g@@V
//# @right no-dynsym: h
//# peers: lld
        .globl  f, g, h, _start
f:      ret
g:      ret
h:      ret
_start: ret
//# file: node.map
V { global: f; local: *; }
//# file: parent.map
V { global: f; }; W { global: g; } V
//# file: name.map
V { global: f; local: * };
//# file: language.map
V { global: extern "C" { f; } local: *; };
//# file: empty.map
V { global: f;; local: *; };
//# file: list.txt
{ f; }
//# file: right.map
V { f; extern "C" { g }; local: *; };
