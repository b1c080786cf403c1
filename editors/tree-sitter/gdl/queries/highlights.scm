; Each word has one pattern, since editors differ in which of several they take.
(comment) @comment
(variable) @variable
(connective) @keyword.operator

((atom relation: (name) @function.builtin)
 (#match? @function.builtin "^(role|init|true|does|legal|next|terminal|goal|base|input|sees|percept|action)$"))
((atom relation: (name) @function)
 (#not-match? @function "^(role|init|true|does|legal|next|terminal|goal|base|input|sees|percept|action)$"))
(compound functor: (name) @constructor)

([
  (atom argument: (name) @number)
  (compound argument: (name) @number)
  (difference (name) @number)
  (list (name) @number)
 ] (#match? @number "^[+-]?[0-9]+([.][0-9]+)*$"))
([
  (atom argument: (name) @constant)
  (compound argument: (name) @constant)
  (difference (name) @constant)
  (list (name) @constant)
 ] (#not-match? @constant "^[+-]?[0-9]+([.][0-9]+)*$"))

["(" ")" "[" "]"] @punctuation.bracket
["," "."] @punctuation.delimiter
