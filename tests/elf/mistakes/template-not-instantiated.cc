// A template whose definition stands in another file.
//# peers: none
//# compile: -g
//# error-text: ld: error: undefined symbol: Stack<int>::push(int)
//# error-text: >>> referenced by main.cc:2 ($WORK/main.cc:2)
//# error-text: >>>               main.o:(main)
//# error-text: >>> a template's code is made where it is used: is its definition in the header, or is it instantiated with these types in the file that defines it?
//# file: main.cc
template <class T> struct Stack { void push(T); };
int main() { Stack<int>().push(1); }
//# file: stack.cc
template <class T> struct Stack { void push(T); };
template <class T> void Stack<T>::push(T) {}
