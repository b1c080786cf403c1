//! Page of a tournament for browsers: its tables, with links to the reports and the records.

use super::standings::Standings;
use ggp_draw::escaped;

/// The page, under a title, with a line about how far the tournament is, and notes below the tables.
pub(super) fn page(title: &str, state: &str, standings: &Standings, notes: &[String]) -> String {
    let reports = |cell: &str| format!("<a href=\"reports/{cell}.txt\">{cell}</a>");
    let standings_table = table(&standings.rows(), reports);
    let games = table(&standings.game_rows(), escaped);
    let notes: String = notes.iter().map(|note| format!("<p>{}</p>\n", escaped(note))).collect();
    format!(
        "<!doctype html>\n<html lang=\"en\">\n<meta charset=\"utf-8\">\n\
         <meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\n\
         <title>{title}</title>\n<style>{STYLE}</style>\n<h1>{title}</h1>\n<p>{state}</p>\n{standings_table}{games}{notes}\
         <p><a href=\"table.csv\">The table</a> and <a href=\"matches.csv\">all matches</a> as comma-separated values; \
         the records are beside them, in the folder <code>matches</code>.</p>\n</html>\n",
        title = escaped(title),
        state = escaped(state),
    )
}

const STYLE: &str = "body{font:16px/1.5 system-ui,sans-serif;max-width:70rem;margin:2rem auto;padding:0 1rem;color-scheme:light dark}\
table{border-collapse:collapse;display:block;overflow-x:auto;margin:1rem 0}\
th,td{padding:.3rem .7rem;border-bottom:1px solid #8886;text-align:right;white-space:nowrap}\
th:first-child,td:first-child{text-align:left}";

/// A table whose first row has its headings; `first` writes the first cell of the other rows.
fn table(rows: &[Vec<String>], first: impl Fn(&str) -> String) -> String {
    let Some((headings, rows)) = rows.split_first() else { return String::new() };
    let cells = |row: &Vec<String>| {
        let cell = |(index, text): (usize, &String)| match index {
            0 => format!("<th scope=\"row\">{}</th>", first(text)),
            _ => format!("<td>{}</td>", escaped(text)),
        };
        format!("<tr>{}</tr>\n", row.iter().enumerate().map(cell).collect::<String>())
    };
    let headings: String = headings.iter().map(|text| format!("<th scope=\"col\">{}</th>", escaped(text))).collect();
    format!("<table>\n<tr>{headings}</tr>\n{}</table>\n", rows.iter().map(cells).collect::<String>())
}
