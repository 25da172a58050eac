// Reports tell of the files that have been compiled: which take part, which members were taken for
// which name, who defines and uses a symbol.
//# compile: -O2
//# peers: none
//# sh: gcc -O2 -flto -fno-fat-lto-objects -xc -c start.inc -o start && gcc -O2 -flto -fno-fat-lto-objects -xc -c part.inc -o part
//# sh: gcc-ar rc members.a part && printf '%s' 'gcc -B$(dirname $LD) -flto main.o start members.a -o listed "$@"' >link.sh
//# sh: sh link.sh -Wl,-t >said && grep -qx start said && grep -qxF 'members.a(part)' said
//# sh: sh link.sh -Wl,-y,part >said && grep -qx 'start: reference to part' said && grep -qxF 'members.a(part): definition of part' said
//# sh: sh link.sh -Wl,--why-extract=said && grep -qxF "$(printf 'start\tmembers.a(part)\tpart')" said
//# sh: sh link.sh -Wl,--print-archive-stats=said && grep -qxF "$(printf '1\t1\tmembers.a')" said
//# sh: sh link.sh -Wl,-Map=said,--cref && grep -Eq '^members.a\(part\) +start \(part\)$' said && grep -Eq '^part +members.a\(part\)$' said
//# sh: sh link.sh -Wl,--warn-backrefs 2>said && test ! -s said
//# sh: gcc -B$(dirname $LD) -flto main.o members.a start -o listed -Wl,--warn-backrefs 2>said && grep -qF 'backward reference detected: part in start refers to members.a(part)' said
//# link: main.o start members.a -flto
//# run: exit=42
int start(void);
int main(void) { return start(); }
//# file: start.inc
int part(void);
int start(void) { return part() + 1; }
//# file: part.inc
int part(void) { return 41; }
