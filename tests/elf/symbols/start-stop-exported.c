// A program exports the bounds of its sections if -z start-stop-visibility=protected is given.
//# variant: default:
//# variant: hidden: -Wl,-z,start-stop-visibility=hidden
//# variant: protected: -Wl,-z,start-stop-visibility=protected
//# link: -pie
//# @default,hidden no-dynsym: __start_words
//# @protected dynsym: __start_words value=section(words).address vis=PROTECTED
//# @protected dynsym: __stop_words value=section(words).end
//# run
//# peers: mold
__attribute__((section("words"), used)) static int word = 1;
int main(void) { return 0; }
