// A compressed section of strings keeps the flags that say so, as in GNU ld and lld.
//# compile: -g
//# link: -Wl,--compress-debug-sections=zlib
//# section: .debug_str flags~C flags~M flags~S entsize=1
//# peers: ld lld
//# run:
struct some_long_name_for_the_strings { int with_a_member_of_some_length; };
struct some_long_name_for_the_strings another_long_name_in_the_strings;
int yet_another_function_name_that_fills_the_strings(void) { return 0; }
int main(void) { return yet_another_function_name_that_fills_the_strings(); }
