package.path, package.cpath = "", "./?.so"
local vec = require "vectors"
local t = {} for i = 1, 2000 do t[i] = (i * 7919) % 2003 + 0.5 end
local u = vec.sorted(t) table.sort(t)
for i = 1, #t do assert(t[i] == u[i]) end
print(#u, u[1], u[2000], pcall(vec.fail))
local sum = 0
for v in coroutine.wrap(function() vec.steps(5) end) do sum = sum + v end
print(sum, string.format("%.14g %a %q", 2^53, 0.5, "a\0b"), ("x"):rep(3, ","), utf8.char(8364, 0x10ffff))
print(string.unpack("<i4 z s2", string.pack("<i4 z s2", -7, "zed", "two")))
print(pcall(string.rep, "x", -1), select("#", table.unpack({}, 1, 100)), 7 // -2, 7 % -2, 1 << 62, math.ult(1, -1))
print(load("local a <const> = 3; goto e; ::e:: return a, ...")(4), os.time{year=2000, month=1, day=1, hour=12} ~= nil)
local m = setmetatable({}, {__gc = function() print("collected") end, __index = function(_, k) return k .. "!" end})
print(m.key, #arg, os.getenv("NOT_SET"), pcall(error, 2)) m = nil collectgarbage()
print(string.dump(function() return 42 end):sub(1, 4) == "\27Lua", load(string.dump(function() return 42 end))())
print(("key = value"):match("^(%w+)%s*=%s*(%w+)$"), ("abc"):gsub("%w", "%0%0"), io.lines("vectors.lua")() ~= nil)
