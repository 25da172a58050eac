// -z words that are flags for the loader.
//# driver: gcc
//# compile: -fPIC
//# link: -shared -Wl,-z,nodelete,-z,initfirst,-z,interpose,-z,origin,-z,nodlopen,-z,nodefaultlib
//# dynamic: FLAGS_1 value~NODELETE
//# dynamic: FLAGS_1 value~INITFIRST
//# dynamic: FLAGS_1 value~INTERPOSE
//# dynamic: FLAGS_1 value~ORIGIN
//# dynamic: FLAGS_1 value~NOOPEN
//# dynamic: FLAGS_1 value~NODEFLIB
//# dynamic: FLAGS value~ORIGIN
int f(void) { return 0; }
