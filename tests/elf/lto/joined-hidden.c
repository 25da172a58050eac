// What -r makes of intermediate code keeps its hidden symbols for the link to come, which others
// may refer to.
//# compile: -O2
//# peers: ld
//# sh: gcc -O2 -flto -fno-fat-lto-objects -xc -c part.inc -o part
//# sh: gcc -B$(dirname $LD) -r -nostdlib -O2 -flto -flinker-output=nolto-rel part -o joined
//# link: main.o joined
//# run: exit=42
__attribute__((visibility("hidden"))) extern int hidden;
__attribute__((visibility("hidden"))) int hidden_function(void);
int main(void) { return hidden + hidden_function(); }
//# file: part.inc
__attribute__((visibility("hidden"))) int hidden = 40;
__attribute__((visibility("internal"))) int hidden_function(void) { return 2; }
