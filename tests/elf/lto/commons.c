// A common variable of intermediate code and of code is one, and its size the larger; who has it is
// told as in GNU ld.
//# compile: -O1 -fcommon -flto -fno-fat-lto-objects
//# peers: none
//# sh: for size in 1 2 3; do gcc -O1 -fcommon -DSIZE=$size -xc -c code.inc -o code$size.o; done
//# sh: printf '%s' '(gcc -flto -O1 -save-temps "$1" -o "$2" $3 $4; grep " both$" "$2.res" | cut -d" " -f3)' >told.sh
//# sh: told() { sh told.sh -B$(dirname $LD) ours "$@" >ours.said && sh told.sh -fuse-ld=bfd theirs "$@" >theirs.said && test -s ours.said && cmp ours.said theirs.said && ./ours; }; told main.o part.o && told main.o code2.o && told code2.o main.o && told main.o code3.o && told code3.o main.o && told code1.o main.o
//# link: main.o part.o -flto
//# run: exit=0
int both[2];
int *other(void);
int main(void)
{
    static volatile int behind[4];
    both[0] = 1;
    both[1] = 2;
    return other() != both || behind[0] || other()[1] != 2;
}
//# file: part.c
int both[2];
int *other(void) { return both; }
//# file: code.inc
int both[SIZE];
int *other(void) { both[SIZE - 1] += 0; return both; }
