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

--- Starts the server for every rule sheet and script, those in open buffers too; `options.program` is the path of ggp.
function M.setup(options)
  local program = (options or {}).program
  local types = { "gdl", "ggp-query" }
  vim.api.nvim_create_autocmd("FileType", {
    group = vim.api.nvim_create_augroup("ggp", {}),
    pattern = types,
    callback = function(event) M.start(event.buf, program) end,
  })
  -- A running instance has read its file types before this folder was on the runtime path.
  vim.cmd("augroup filetypedetect")
  vim.cmd("runtime! ftdetect/gdl.vim")
  vim.cmd("augroup END")
  for _, buffer in ipairs(vim.api.nvim_list_bufs()) do
    if vim.api.nvim_buf_is_loaded(buffer) then
      local known = vim.api.nvim_buf_get_option(buffer, "filetype")
      if vim.tbl_contains(types, known) then
        M.start(buffer, program)
      elseif known == "" then
        vim.api.nvim_buf_call(buffer, function() vim.cmd("doautocmd filetypedetect BufRead") end)
      end
    end
  end
end

return M
