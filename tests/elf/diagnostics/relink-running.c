// Linking over a running program does not change what runs.
//# compile: -O1
//# sh: gcc main.o -B$(dirname $LD) -o prog && ./prog wait & sleep 0.3; gcc main.o -B$(dirname $LD) -o prog; wait $!
//# run
#include <unistd.h>
int main(int argc, char **argv) {
  if (argc > 1) usleep(600000);
  return 0;
}
