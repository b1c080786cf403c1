/**
 * GDL in its three dialects, as docs/grammar.md has them. A clause that begins with a bracket is prefix, one that begins
 * with a name is infix, with `::` an operation, so the dialect need not be known beforehand. Nodes have the same names in
 * all dialects.
 */

// The characters that separate tokens, and what the dialects allow in names and variables.
const BLANK = /[\s\u0001-\u0020\u007f\ufeff]/;
const PREFIX_NAME = /[^\s\u0001-\u0020\u007f\ufeff();?][^\s\u0001-\u0020\u007f\ufeff();]*/;
const PREFIX_VARIABLE = /\?[^\s\u0001-\u0020\u007f\ufeff();?][^\s\u0001-\u0020\u007f\ufeff();]*/;
const BARE_NAME =
  /([\p{Ll}\p{Lt}\p{Lm}\p{Lo}\p{N}]|[+-][0-9]|[+-]?[0-9]\.[0-9](\.[0-9])*)([\p{L}\p{N}_]|-[\p{L}\p{N}_]|[0-9]\.[0-9](\.[0-9])*)*/;
const QUOTED_NAME = /'([^'\n\r]|'')*'/;
const INFIX_VARIABLE = /[_\p{Lu}][\p{L}\p{N}_]*/;

/** A word of prefix, which has precedence over comments of infix. */
const prefix = (rule) => token(prec(1, rule));

const listed = (rule) => optional(seq(rule, repeat(seq(',', rule))));

module.exports = grammar({
  name: 'gdl',

  extras: ($) => [BLANK, $.comment],

  // After a name, `(` may be its arguments, or a clause in prefix after a fact without arguments.
  conflicts: ($) => [[$.infix_atom]],

  rules: {
    sheet: ($) =>
      repeat(
        choice(
          alias($.prefix_rule, $.rule),
          alias($.prefix_fact, $.fact),
          alias($.infix_rule, $.rule),
          alias($.infix_fact, $.fact),
          $.operation,
        ),
      ),

    comment: (_) => token(choice(/;[^\n\r]*/, /%[^\n\r]*/)),

    // Connectives, in any case. They come before the names, which they are where no formula is expected.
    prefix_implied: (_) => prefix('<='),
    prefix_not: (_) => prefix(/[nN][oO][tT]/),
    prefix_and: (_) => prefix(/[aA][nN][dD]/),
    prefix_or: (_) => prefix(/[oO][rR]/),
    prefix_distinct: (_) => prefix(/[dD][iI][sS][tT][iI][nN][cC][tT]/),
    infix_not: (_) => /[nN][oO][tT]/,
    infix_and: (_) => /[aA][nN][dD]/,
    infix_or: (_) => /[oO][rR]/,
    infix_distinct: (_) => /[dD][iI][sS][tT][iI][nN][cC][tT]/,

    prefix_name: (_) => prefix(PREFIX_NAME),
    prefix_variable: (_) => prefix(PREFIX_VARIABLE),
    infix_name: (_) => token(choice(BARE_NAME, QUOTED_NAME)),
    infix_variable: (_) => INFIX_VARIABLE,

    // Prefix

    prefix_rule: ($) =>
      seq(
        '(',
        alias($.prefix_implied, $.connective),
        field('head', alias(choice($.prefix_atom, $.prefix_proposition), $.atom)),
        repeat(field('body', $._prefix_formula)),
        ')',
      ),

    prefix_fact: ($) => field('head', alias($.prefix_atom, $.atom)),

    prefix_atom: ($) =>
      seq('(', field('relation', alias($.prefix_name, $.name)), repeat(field('argument', $._prefix_term)), ')'),

    prefix_proposition: ($) => field('relation', alias($.prefix_name, $.name)),

    _prefix_formula: ($) =>
      choice(
        alias($.prefix_negation, $.negation),
        alias($.prefix_conjunction, $.conjunction),
        alias($.prefix_disjunction, $.disjunction),
        alias($.prefix_difference, $.difference),
        alias($.prefix_atom, $.atom),
        alias($.prefix_proposition, $.atom),
      ),

    prefix_negation: ($) => seq('(', alias($.prefix_not, $.connective), $._prefix_formula, ')'),
    prefix_conjunction: ($) => seq('(', alias($.prefix_and, $.connective), repeat($._prefix_formula), ')'),
    prefix_disjunction: ($) => seq('(', alias($.prefix_or, $.connective), repeat($._prefix_formula), ')'),
    prefix_difference: ($) =>
      seq('(', alias($.prefix_distinct, $.connective), $._prefix_term, $._prefix_term, ')'),

    _prefix_term: ($) =>
      choice(
        alias($.prefix_variable, $.variable),
        alias($.prefix_name, $.name),
        alias($.prefix_compound, $.compound),
      ),

    prefix_compound: ($) =>
      seq('(', field('functor', alias($.prefix_name, $.name)), repeat(field('argument', $._prefix_term)), ')'),

    // Infix

    infix_rule: ($) =>
      seq(
        field('head', alias($.infix_atom, $.atom)),
        alias(choice(':-', '<='), $.connective),
        choice(seq('(', ')'), field('body', $._infix_formula)),
        optional('.'),
      ),

    infix_fact: ($) => seq(field('head', alias($.infix_atom, $.atom)), optional('.')),

    // What an action changes, with a condition or without. Effects are literals; formulas of other kinds are not refused
    // here, since without `==>` the parser knows only at the end whether it has read the condition or the effects.
    operation: ($) =>
      seq(
        field('action', alias($.infix_atom, $.atom)),
        alias('::', $.connective),
        optional(seq(field('condition', $._infix_formula), alias('==>', $.connective))),
        field('effects', $._infix_formula),
        optional('.'),
      ),

    infix_atom: ($) =>
      choice(
        field('relation', alias($.infix_name, $.name)),
        prec.dynamic(
          1,
          seq(field('relation', alias($.infix_name, $.name)), '(', listed(field('argument', $._infix_term)), ')'),
        ),
      ),

    _infix_formula: ($) =>
      choice(
        $._infix_literal,
        alias($.infix_conjunction, $.conjunction),
        alias($.infix_disjunction, $.disjunction),
      ),

    infix_conjunction: ($) =>
      prec.left(2, seq($._infix_formula, alias(choice('&', ','), $.connective), $._infix_formula)),

    infix_disjunction: ($) => prec.left(1, seq($._infix_formula, alias('|', $.connective), $._infix_formula)),

    _infix_literal: ($) =>
      choice(
        alias($.infix_negation, $.negation),
        alias($.infix_group, $.group),
        alias($.applied_conjunction, $.conjunction),
        alias($.applied_disjunction, $.disjunction),
        alias($.infix_difference, $.difference),
        alias($.infix_atom, $.atom),
      ),

    infix_negation: ($) => seq(alias(choice('~', $.infix_not), $.connective), $._infix_literal),
    infix_group: ($) => seq('(', $._infix_formula, ')'),
    applied_conjunction: ($) => seq(alias($.infix_and, $.connective), '(', listed($._operand), ')'),
    applied_disjunction: ($) => seq(alias($.infix_or, $.connective), '(', listed($._operand), ')'),
    infix_difference: ($) =>
      seq(alias($.infix_distinct, $.connective), '(', $._infix_term, ',', $._infix_term, ')'),

    // A formula in which `,` is not `&`.
    _operand: ($) =>
      choice(
        $._infix_literal,
        alias($.operand_conjunction, $.conjunction),
        alias($.operand_disjunction, $.disjunction),
      ),

    operand_conjunction: ($) => prec.left(2, seq($._operand, alias('&', $.connective), $._operand)),
    operand_disjunction: ($) => prec.left(1, seq($._operand, alias('|', $.connective), $._operand)),

    _infix_term: ($) =>
      choice(
        alias($.infix_variable, $.variable),
        alias($.infix_name, $.name),
        alias($.infix_compound, $.compound),
        $.list,
      ),

    infix_compound: ($) =>
      seq(field('functor', alias($.infix_name, $.name)), '(', listed(field('argument', $._infix_term)), ')'),

    list: ($) => seq('[', listed($._infix_term), ']'),
  },
});
