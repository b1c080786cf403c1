/**
 * Scripts of ggp: a command or a query on each line. The words of commands are not checked here; `ggp lsp` does.
 */
module.exports = grammar({
  name: 'ggp_query',

  extras: (_) => [/[ \t\r\f\ufeff]/],

  rules: {
    script: ($) => seq(repeat(seq(optional($._line), '\n')), optional($._line)),

    _line: ($) => choice($.comment, seq(choice($.expectation, $._statement), optional($.comment))),

    comment: (_) => token(/[%#][^\n]*/),

    expectation: ($) =>
      prec.right(seq('expect', optional(alias(choice('not', 'error', 'count', 'nodes'), $.aspect)), optional($._statement))),

    _statement: ($) => choice($.query, $.command),

    query: ($) =>
      choice(seq('?-', repeat($._item)), seq(choice($.call, $.group, $.operator), repeat($._item))),

    command: ($) => seq(field('name', $.word), repeat(field('argument', $._item))),

    _item: ($) =>
      choice($.option, $.string, $.variable, $.call, $.group, $.list, $.operator, $.word, ','),

    option: (_) => /--[a-z][a-z-]*/,
    string: (_) => /"[^"\n]*"/,
    operator: (_) => choice('&', '|', '~', ':-'),

    // A name with its arguments, as infix writes them.
    call: ($) => seq(field('name', $.word), token.immediate('('), repeat(field('argument', $._item)), ')'),
    group: ($) => seq('(', repeat($._item), ')'),
    list: ($) => seq('[', repeat($._item), ']'),

    variable: (_) => token(choice(/[_\p{Lu}][\p{L}\p{N}_]*/, /\?[^\s()\[\],]+/)),
    word: (_) => token(choice(/'([^'\n]|'')*'/, /[^\s()\[\],"'&|~%#][^\s()\[\],"&|~]*/)),
  },
});
