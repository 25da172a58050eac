// __start_ and __stop_ of a section whose name is a C identifier.
//# run: exit=6
//# symbol: __start_table value=section(table).address
//# symbol: __stop_table value=section(table).end
__attribute__((section("table"))) int a = 1, b = 2, c = 3;
extern int __start_table[], __stop_table[];
int main(void) {
  int sum = 0;
  for (int *p = __start_table; p < __stop_table; p++) sum += *p;
  return sum;
}
