//! A lesson at the prompt, from its first step to its last.

use super::{ENTER, PROMPT, Terminal, home};

#[test]
fn lesson_1_is_played_to_its_end() {
    let mut terminal = Terminal::start("nim", &home("lesson"));
    let asks = |terminal: &mut Terminal, line: &str, remark: &str, prompt: &str| {
        terminal.types(&format!("{line}{ENTER}"));
        terminal.sees(remark);
        terminal.sees(prompt);
    };
    asks(&mut terminal, "do take(1,2)", "ply 1", "nim> ");
    asks(&mut terminal, "learn", "5 rules", "nim> ");
    // Without a game there is a prompt of its own; the lesson loads one.
    asks(&mut terminal, "learn 1", "type: load tic_tac_toe", "ggp> ");
    asks(&mut terminal, "legal", "not yet (step 1 of 8)", "ggp> ");
    asks(&mut terminal, "load tic_tac_toe", "step 2 of 8", PROMPT);
    asks(&mut terminal, "show", "step 3 of 8", PROMPT);
    asks(&mut terminal, "goal", "not yet (step 3 of 8)", PROMPT);
    asks(&mut terminal, "legal", "step 4 of 8", PROMPT);
    asks(&mut terminal, "do mark(1,3)", "not yet (step 4 of 8)", PROMPT);
    asks(&mut terminal, "learn again", "type: do mark(2,2)", PROMPT);
    asks(&mut terminal, "do mark(2,2)", "step 5 of 8", PROMPT);
    asks(&mut terminal, "do mark(3,1)", "step 6 of 8", PROMPT);
    asks(&mut terminal, "help history", "list the plies", PROMPT);
    asks(&mut terminal, "history", "step 7 of 8", PROMPT);
    asks(&mut terminal, "undo", "step 8 of 8", PROMPT);
    asks(&mut terminal, "restart", "\"look and play\" is done; nim is back, at ply 1; `learn ask`", "nim> ");
    asks(&mut terminal, "history", "take(1,2)", "nim> ");
    terminal.ends();
}
