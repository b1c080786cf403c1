" Rule sheets in GDL, and scripts of ggp.
autocmd BufNewFile,BufRead *.gdl,*.kif,*.hrf setfiletype gdl
autocmd BufNewFile,BufRead *.query setfiletype ggp-query
