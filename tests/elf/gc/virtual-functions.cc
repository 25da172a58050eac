// Virtual functions are reached through the tables of live classes.
//# machines: x86-64 aarch64 aarch64_be i386 x32 riscv64 no table of addresses (.toc) refers to all data of an object
//# compile: -ffunction-sections -fdata-sections
//# link: -Wl,--gc-sections
//# run: exit=6
//# no-symbol: _ZTV4Dead
struct Base {
  virtual int f() { return 1; }
  virtual ~Base() {}
};
struct Live : Base { int f() override { return 6; } };
struct Dead : Base { int f() override { return 7; } };
Base *make() { return new Live; }
Base *dead() { return new Dead; }
int main() { return make()->f(); }
