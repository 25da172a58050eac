#include <stdlib.h>
#include <string.h>
#include "lua.h"
#include "lauxlib.h"
static int order(const void *a, const void *b) { double x = *(const double *)a, y = *(const double *)b; return (x > y) - (x < y); }
static int sorted(lua_State *L) {
  size_t n = luaL_len(L, 1);
  double *v = malloc(n * sizeof *v);
  for (size_t i = 0; i < n; ++i) { lua_rawgeti(L, 1, i + 1); v[i] = lua_tonumber(L, -1); lua_pop(L, 1); }
  qsort(v, n, sizeof *v, order);
  lua_newtable(L);
  for (size_t i = 0; i < n; ++i) { lua_pushnumber(L, v[i]); lua_rawseti(L, -2, i + 1); }
  free(v);
  return 1;
}
static int fail(lua_State *L) { return luaL_error(L, "thrown by %s", "C"); }
static int again(lua_State *L, int status, lua_KContext n) { (void)status; if (n == 0) return lua_gettop(L); lua_pushinteger(L, n); return lua_yieldk(L, 1, n - 1, again); }
static int steps(lua_State *L) { lua_Integer n = luaL_checkinteger(L, 1); lua_settop(L, 0); return again(L, 0, n); }
static const luaL_Reg functions[] = {{"sorted", sorted}, {"fail", fail}, {"steps", steps}, {NULL, NULL}};
int luaopen_vectors(lua_State *L) { luaL_newlib(L, functions); return 1; }
