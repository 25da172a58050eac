// A text file that is no script is an error with its name and line.
//# link: broken.txt
//# expect-error: broken\.txt:2
//# peers: lld
int main(void) { return 0; }
//# file: broken.txt
/* a comment */
INPUT ] nonsense
