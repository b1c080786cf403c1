" Sheets in prefix have `;` for comments, those in infix `%`.
if exists('b:did_ftplugin')
  finish
endif
let b:did_ftplugin = 1
let s:prefix = search('^\s*(', 'nw') > 0
let &l:commentstring = s:prefix ? '; %s' : '% %s'
setlocal comments=:;,:%
setlocal iskeyword+=-
