-- Tries the server in a headless Neovim, and ends with an error if something is missing. `editors/test neovim` runs it;
-- GGP names the program.

local function fail(text)
  io.stderr:write("neovim.lua: " .. text .. "\n")
  vim.cmd("cquit 1")
end

local function wait(what, condition)
  if not vim.wait(60000, condition, 50) then fail("in vain: " .. what) end
end

vim.cmd("filetype plugin on")
vim.cmd("runtime! ftdetect/*.vim")
require("ggp").setup({ program = os.getenv("GGP") })
local file = vim.fn.tempname() .. ".gdl"
vim.fn.writefile({
  "% größer 🗼",
  "role(robot)",
  "legal(robot,go)",
  "next(p) :- does(robot,go)",
  "goal(robot,0) :- ~tru(p)",
  "terminal :- true(p)",
}, file)
vim.cmd("edit " .. file)
if vim.bo.filetype ~= "gdl" then fail("the type of the file is " .. vim.bo.filetype) end
wait("problems", function() return #vim.diagnostic.get(0) > 0 end)
local codes = {}
for _, problem in ipairs(vim.diagnostic.get(0)) do codes[problem.code] = problem.lnum end
if codes.W201 ~= 4 then fail("`tru` is not reported: " .. vim.inspect(codes)) end

local function ask(method, line, column, more)
  local params = { textDocument = { uri = vim.uri_from_bufnr(0) }, position = { line = line, character = column } }
  for name, value in pairs(more or {}) do params[name] = value end
  local answers = vim.lsp.buf_request_sync(0, method, params, 60000)
  for _, answer in pairs(answers or {}) do
    if answer.error then fail(method .. ": " .. vim.inspect(answer.error)) end
    return answer.result
  end
  fail(method .. " has no answer")
end

local found = ask("textDocument/definition", 5, 18)
if found[1].range.start.line ~= 3 then fail("definition: " .. vim.inspect(found)) end
local hover = ask("textDocument/hover", 3, 1)
if not hover.contents.value:find("next state") then fail("hover: " .. vim.inspect(hover)) end
local edit = ask("textDocument/rename", 5, 18, { newName = "done" })
vim.lsp.util.apply_workspace_edit(edit, "utf-16")
if vim.fn.getline(6) ~= "terminal :- true(done)" then fail("rename: " .. vim.fn.getline(6)) end
vim.fn.setline(5, "goal(robot,0) :- ~true(done)")
wait("no problem of `tru`", function()
  for _, problem in ipairs(vim.diagnostic.get(0)) do
    if problem.code == "W201" then return false end
  end
  return true
end)
local list = ask("textDocument/completion", 4, 23)
local labels = vim.tbl_map(function(item) return item.label end, list.items)
if not vim.tbl_contains(labels, "done") then fail("completion: " .. vim.inspect(labels)) end
print("Neovim and ggp lsp understand each other")
vim.cmd("qall!")
