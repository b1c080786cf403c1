//! The colours of a line that is being typed, without a terminal (`pty` has one).

use ggp::Game;
use ggp::repl::highlight;

/// The names of the styles, which is all that tells the kinds of words apart.
const STYLES: [(&str, &str); 9] = [
    ("\x1b[1m", "Command"),
    ("\x1b[36m", "Option"),
    ("\x1b[34m", "Relation"),
    ("\x1b[35m", "Variable"),
    ("\x1b[31m", "Unknown"),
    ("\x1b[32m", "Quoted"),
    ("\x1b[2m", "Comment"),
    ("\x1b[1m\x1b[33m", "LooseBracket"),
    ("\x1b[1m\x1b[34m", "Pair"),
];

/// The pieces of a coloured line, each with the name of its style; `None` for text without one.
fn split(shown: &str) -> Vec<(&str, Option<&'static str>)> {
    let mut pieces = Vec::new();
    let mut rest = shown;
    while let Some(start) = rest.find('\x1b') {
        pieces.push((&rest[..start], None));
        let end = rest[start..].find("\x1b[0m").expect("each style ends") + start;
        let sign = rest[start..end].rfind("\x1b[").expect("it begins there") + start;
        let text = rest[sign..end].find('m').expect("the sign ends") + sign + 1;
        let style = STYLES.iter().find(|(sign, _)| *sign == &rest[start..text]).expect("the style is known");
        pieces.push((&rest[text..end], Some(style.1)));
        rest = &rest[end + "\x1b[0m".len()..];
    }
    pieces.push((rest, None));
    pieces
}

/// The pieces of a line with a style, with the cursor at `|` or at the end.
fn seen(line: &str) -> Vec<(String, &'static str)> {
    let at = line.find('|').unwrap_or(line.len());
    let line = line.replacen('|', "", 1);
    let game = Game::library("tic_tac_toe").expect("the library has it");
    let shown = highlight::line("", &line, at, Some(&game.rules));
    split(&shown).into_iter().filter_map(|(text, kind)| Some((text.to_string(), kind?))).collect()
}

fn of_kind(line: &str, wanted: &str) -> Vec<String> {
    seen(line).into_iter().filter(|(_, kind)| *kind == wanted).map(|(text, _)| text).collect()
}

#[test]
fn queries_show_relations_variables_and_unknown_words() {
    let line = "?- true(cell(R,_,b)) & ~legal(xplayer,mrk(R,q)) ";
    assert_eq!(of_kind(line, "Relation"), ["true", "cell", "legal"]);
    assert_eq!(of_kind(line, "Variable"), ["R", "_", "R"]);
    assert_eq!(of_kind(line, "Unknown"), ["mrk", "q"]);
    let prefix = "(and (true (cell ?r 1 b)) (not (liine x))) ";
    assert_eq!(of_kind(prefix, "Relation"), ["true", "cell"]);
    assert_eq!(of_kind(prefix, "Variable"), ["?r"]);
    assert_eq!(of_kind(prefix, "Unknown"), ["liine"]);
    assert_eq!(of_kind("expect not ?- true(cel(1,1,b)) ", "Unknown"), ["cel"]);
}

#[test]
fn commands_options_and_arguments_are_told_apart() {
    assert_eq!(
        seen("do mark(2,q) "),
        [("do".to_string(), "Command"), ("mark".to_string(), "Relation"), ("q".to_string(), "Unknown")]
    );
    assert_eq!(
        seen("minimax xplayer --depth 3 --dept 4 "),
        [("minimax".to_string(), "Command"), ("--depth".to_string(), "Option"), ("--dept".to_string(), "Unknown")]
    );
    assert_eq!(of_kind("legal zplayer ", "Unknown"), ["zplayer"]);
    assert_eq!(of_kind("lgeal xplayer ", "Unknown"), ["lgeal"]);
    assert_eq!(of_kind("why not legal(oplayer,noop) ", "Unknown"), [""; 0]);
    assert_eq!(of_kind("load nothing_known(1) ", "Unknown"), [""; 0]);
    // New names are what `rules add` is for.
    assert_eq!(of_kind("rules add corner(R,C) :- edge(R) & edge(C) ", "Unknown"), [""; 0]);
    assert_eq!(of_kind("rules corner(R,C) ", "Unknown"), ["corner"]);
    assert_eq!(of_kind("expect error \"mrk (\" do mrk(1) # mrk", "Unknown"), ["mrk"]);
    assert_eq!(of_kind("expect error \"mrk (\" do mrk(1) # mrk", "Quoted"), ["\"mrk (\""]);
    assert_eq!(of_kind("time do mark(1,1) # mrk", "Comment"), ["# mrk"]);
}

#[test]
fn a_word_that_is_being_typed_is_not_yet_unknown() {
    assert_eq!(of_kind("leg", "Unknown"), [""; 0]);
    assert_eq!(of_kind("do ma", "Unknown"), [""; 0]);
    assert_eq!(of_kind("do ma|(1,1)", "Unknown"), [""; 0]);
    assert_eq!(of_kind("do mz", "Unknown"), ["mz"]);
    assert_eq!(of_kind("minimax --de", "Option"), ["--de"]);
}

#[test]
fn brackets_without_a_partner_and_the_pair_at_the_cursor_are_marked() {
    assert_eq!(of_kind("do mark(1,", "LooseBracket"), ["("]);
    assert_eq!(of_kind("set [cell(1,1,b)", "LooseBracket"), ["["]);
    assert_eq!(of_kind("do mark(1,1))", "LooseBracket"), [")"]);
    assert_eq!(of_kind("do mark(1,1)|", "Pair"), ["(", ")"]);
    assert_eq!(of_kind("do mark(1|,1)", "Pair"), [""; 0]);
}

#[test]
fn any_text_can_be_typed() {
    for typed in ["", " ", "\"", "(((", ")", "é(ü,\"ß", "?-", "~", "expect", "expect not", "% 100", "do \u{1F600}("]
    {
        let shown = highlight::line("", typed, typed.len(), None);
        assert_eq!(split(&shown).into_iter().map(|(text, _)| text).collect::<String>(), typed);
    }
}
