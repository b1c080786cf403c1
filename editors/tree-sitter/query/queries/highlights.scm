; Each word has one pattern, since editors differ in which of several they take.
(comment) @comment
(string) @string
(option) @attribute
(variable) @variable
(operator) @keyword.operator

(command name: (word) @keyword)
["expect" "?-"] @keyword
(aspect) @keyword

((call name: (word) @function.builtin)
 (#match? @function.builtin "^(role|init|true|does|legal|next|goal|base|input|sees|percept)$"))
((call name: (word) @function)
 (#not-match? @function "^(role|init|true|does|legal|next|goal|base|input|sees|percept)$"))

([
  (command argument: (word) @number)
  (call argument: (word) @number)
  (group (word) @number)
  (list (word) @number)
 ] (#match? @number "^[+-]?[0-9]+([.][0-9]+)*$"))
([
  (command argument: (word) @constant)
  (call argument: (word) @constant)
  (group (word) @constant)
  (list (word) @constant)
 ] (#not-match? @constant "^[+-]?[0-9]+([.][0-9]+)*$"))

["(" ")" "[" "]"] @punctuation.bracket
"," @punctuation.delimiter
