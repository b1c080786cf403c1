-- The language server `ggp lsp` in Neovim: `require("ggp").setup()` starts it for rule sheets and scripts.

local M = {}

--- Starts the server for a buffer, or attaches the buffer to the one that runs.
function M.start(buffer, program)
  local config = { name = "ggp", cmd = { program or "ggp", "lsp" }, root_dir = vim.fn.getcwd() }
  if vim.lsp.start then
    return vim.lsp.start(config, { bufnr = buffer })
  end
  M.client = M.client or vim.lsp.start_client(config)
  vim.lsp.buf_attach_client(buffer, M.client)
  return M.client
end

--- Starts the server for every rule sheet and script; `options.program` is the path of ggp.
function M.setup(options)
  local program = (options or {}).program
  vim.api.nvim_create_autocmd("FileType", {
    pattern = { "gdl", "ggp-query" },
    callback = function(event) M.start(event.buf, program) end,
  })
end

return M
