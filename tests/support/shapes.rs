//! Sheets that are large in one way each: one part of them is repeated as often as is asked for.

/// A game of one role with one state, to which each shape adds something.
const BASE: &str =
    "(role r)(init (s 0))(legal r a)(<= (next (s 0)) (true (s 0)))(goal r 0)(<= terminal (true (s 1)))\n";

/// What is added: the text between `[` and `]` is repeated, with the number of the repetition for each `#`, and the
/// next number for each `+`.
const SHAPES: &[(&str, &str)] = &[
    ("arguments of a fluent", "(init (f[ c#]))(<= (next (f[ ?x#])) (true (f[ ?x#])))"),
    ("arguments of a function", "(init (g (f[ c#])))(<= (next (g (f[ ?x#]))) (true (g (f[ ?x#]))))"),
    ("a term as one argument", "(init (g (f[ c#])))(<= (next (g ?t)) (true (g ?t)))"),
    ("constants in a head", "(<= (next (f[ c#])) (true (s 0)))"),
    ("one variable in a head", "(<= (next (f[ ?x])) (true (s ?x)))"),
    ("nested terms", "(init (d [(f ]z[)]))"),
    ("nested terms in a rule", "(init (d [(f ]z[)]))(<= (next (d [(f ]?x[)])) (true (d [(f ]?x[)])))"),
    ("initial facts", "[(init (p #))](<= (next (p ?x)) (true (p ?x)))"),
    ("facts that stay", "[(init (p#))(<= (next (p#)) (true (p#)) (not (true (s 1))))]"),
    ("facts", "[(p # +)](<= (next (t ?z)) (true (s ?x)) (p ?x ?y) (p ?y ?z))"),
    ("moves", "[(legal r m#)]"),
    ("moves with effects", "[(legal r m#)(<= (next (p #)) (does r m#))]"),
    ("promises", "[(base (p #))(input r m#)]"),
    ("nested negations", "(<= (next (s 2)) (true (s 0)) [(not ](true (s 1))[)])"),
    ("rules of a relation", "[(<= (q ?x) (true (s ?x)) (true (s #)))](<= (next (s ?x)) (q ?x))"),
    ("rules of terminal", "[(<= terminal (true (s #)))]"),
    ("rules of goal", "[(<= (goal r 50) (true (s #)))]"),
    ("relations in a row", "(<= (p0) (true (s 0)))[(<= (p+) (p#))]"),
    (
        "relations in a circle",
        "(<= (p0 ?x) (true (s ?x)))[(<= (p+ ?x) (p# ?x))(<= (p# ?x) (p+ ?x))](<= (next (s ?x)) (p0 ?x))",
    ),
    ("strata", "(<= (p0) (true (s 0)))[(<= (p+) (not (p#)))]"),
    ("a counter", "[(succ # +)](init (step 0))(<= (next (step ?y)) (true (step ?x)) (succ ?x ?y))"),
    ("a token", "(init (k 0))[(<= (next (k +)) (true (k #)))]"),
    ("a token of many relations", "(init (k0))[(<= (next (k+)) (true (k#)))]"),
    ("unused relations", "[(<= (u#) (true (s 0)))]"),
    ("undefined relations", "[(<= (w#) (undefined#))]"),
    ("misspelt relations", "[(<= (w#) (relatione#))(relation# x)]"),
    ("names that differ in case", "[(aB# x)(Ab# x)]"),
    ("relations of two arities", "[(<= (q# ?x) (true (s ?x)))(<= (q#) (true (s 0)))]"),
    ("single variables", "[(<= (w#) (true (s ?only#)))]"),
    ("unsafe rules", "[(<= (w# ?y) (true (s 0)))]"),
    ("unsafe variables", "(<= (w[ ?x#]) (true (s 0)))"),
    ("rules for true", "[(<= (true (s #)) (true (s 0)))]"),
    ("equal rules", "[(<= (q ?x) (true (s ?x)))]"),
    ("equal facts", "[(init (s 0))]"),
    ("empty rules", "[(<= )]"),
    ("empty rules in lines", "[(<= )\n]"),
    ("closing brackets", "[)]"),
    ("opening brackets", "[(]"),
    ("open lists", "[(a ]"),
    ("a long name", "(init (p a[xxxxxxxxxx]))"),
    ("comments", "[; a comment\n]"),
    ("blanks", "[          ]"),
];

/// The same for long bodies. Grounding has a plan with the whole body for each of its literals, which its limit on
/// memory counts.
const BODIES: &[(&str, &str)] = &[
    ("equal literals", "(<= (next (q ?x)) [(true (s ?x))])"),
    ("literals over fluents", "[(init (p#))](<= (next (s 2)) [(true (p#))])"),
    ("literals over facts", "[(st# a)](<= (next (s 2)) (true (s 0)) [(st# ?x#)])"),
    ("negative literals", "(<= (next (q ?x)) (true (s ?x)) [(not (true (s #)))])"),
    ("distinct", "(<= (next (q ?x)) (true (s ?x)) [(distinct ?x #)])"),
    ("distinct constants", "(<= (next (s 2)) (true (s 0)) [(distinct a# b)])"),
    ("a disjunction", "(<= (next (s 2)) (or [(true (s #))]))"),
    ("a disjunction of conjunctions", "(<= (next (s 2)) (or [(and (true (s #)) (true (s +)))]))"),
    ("nested disjunctions", "(<= (next (s 2)) [(or (true (s #)) ](true (s 0))[)])"),
    ("a long recursive rule", "(e a b)(e b c)(<= (c ?x ?y) (e ?x ?y))(<= (c ?x ?z) (c ?x ?y) [(e ?y ?z)])"),
];

/// The shapes by name, each with the sheet that repeats the part so often.
pub(crate) fn shapes(times: usize) -> impl Iterator<Item = (&'static str, String)> {
    sheets(SHAPES, times)
}

/// The sheets with long bodies.
pub(crate) fn bodies(times: usize) -> impl Iterator<Item = (&'static str, String)> {
    sheets(BODIES, times)
}

fn sheets(shapes: &'static [(&str, &str)], times: usize) -> impl Iterator<Item = (&'static str, String)> {
    shapes.iter().map(move |&(name, shape)| (name, BASE.to_string() + &repeated(shape, times)))
}

fn repeated(shape: &str, times: usize) -> String {
    let mut text = String::new();
    let mut rest = shape;
    while let Some((before, after)) = rest.split_once('[') {
        let (part, after) = after.split_once(']').expect("what is opened is closed");
        text += before;
        for number in 0..times {
            text += &part.replace('#', &number.to_string()).replace('+', &(number + 1).to_string());
        }
        rest = after;
    }
    text + rest
}
