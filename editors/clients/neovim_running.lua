-- Tries the two commands of docs/editors.md in a Neovim that is running, with a sheet that is open already and one that is
-- opened afterwards, and ends with an error if the server is not there. `editors/test neovim` runs it; FOLDER names
-- `editors/vim`, and ggp is on the path.

local function fail(text)
  io.stderr:write("neovim_running.lua: " .. text .. "\n")
  vim.cmd("cquit 1")
end

local function is_served(what)
  if vim.bo.filetype ~= "gdl" then fail("the type of the sheet that was opened " .. what .. " is " .. vim.bo.filetype) end
  local served = vim.wait(60000, function() return #vim.diagnostic.get(0) > 0 end, 50)
  if not served then fail("no problems in the sheet that was opened " .. what) end
end

local function sheet()
  local file = vim.fn.tempname() .. ".gdl"
  vim.fn.writefile({ "role(robot)", "legal(robot,go)", "goal(robot,0) :- ~tru(p)", "terminal :- true(p)" }, file)
  return file
end

vim.cmd("filetype plugin on")
vim.cmd("syntax on")
vim.cmd("edit " .. sheet())
if vim.bo.filetype == "gdl" then fail("the type is known before the commands") end
vim.cmd("set runtimepath+=" .. os.getenv("FOLDER"))
vim.cmd("lua require('ggp').setup()")
is_served("before")
if vim.b.current_syntax ~= "gdl" then fail("the sheet that was opened before has no colours") end
vim.cmd("edit " .. sheet())
is_served("after")
print("The commands work in a running Neovim")
vim.cmd("qall!")
