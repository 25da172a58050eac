// Virtual functions are reached through the tables of live classes.
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
