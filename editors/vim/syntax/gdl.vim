" Rule sheets in GDL, in any dialect.
if exists('b:current_syntax')
  finish
endif
syntax match gdlComment /[;%].*$/ contains=gdlDeclaration
syntax match gdlDeclaration /[;%]\+\s*!\s*\l*/ contained
syntax match gdlVariable /?[^ \t();]\+/
syntax match gdlVariable /\<[A-Z_]\w*\>/
syntax match gdlNumber /\<[+-]\?\d\+\>/
syntax match gdlOperator /:-\|::\|==>\|<=\|[&|~]/
syntax keyword gdlKeyword role init true does legal next goal terminal base input sees percept action
syntax keyword gdlConnective not and or distinct
syntax region gdlQuoted start=/'/ end=/'/ oneline
highlight default link gdlComment Comment
highlight default link gdlDeclaration SpecialComment
highlight default link gdlVariable Identifier
highlight default link gdlNumber Number
highlight default link gdlOperator Operator
highlight default link gdlKeyword Keyword
highlight default link gdlConnective Operator
highlight default link gdlQuoted String
let b:current_syntax = 'gdl'
