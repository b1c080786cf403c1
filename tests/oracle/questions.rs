//! Random questions: a search with a random choice of its options.

use crate::games::Game;
use crate::random::Random;

/// A question about a position.
pub(crate) struct Question {
    /// The name of the command.
    pub(crate) name: &'static str,
    /// The line of the prompt.
    pub(crate) line: String,
    pub(crate) depth: Option<usize>,
    pub(crate) extends: bool,
    pub(crate) evaluates: bool,
    /// The limit on nodes or visits.
    pub(crate) nodes: Option<usize>,
    /// The utility that a plan has to reach.
    pub(crate) goal: Option<f64>,
    /// Whether the plan is a shortest one.
    pub(crate) is_shortest: bool,
    /// Whether opponents are assumed to move at random.
    pub(crate) uniform: bool,
}

/// What a command is about, and its options.
struct Draft<'r> {
    random: &'r mut Random,
    question: Question,
}

impl Question {
    /// A question that fits the game. `sheet` is the name of a file with its evaluation.
    pub(crate) fn random(game: &Game, sheet: &str, random: &mut Random) -> Self {
        let space = &game.space;
        let is_alone = space.roles.len() == 1;
        let plans =
            ["maxscore", "bestmove", "bestplan", "bfs", "dfs", "ids", "astar", "ida", "greedy", "dive", "nested"];
        let contests = ["minimax", "negamax", "alphabeta", "iterative", "paranoid", "maxn"];
        let means = ["expectimax", "expectimax", "expectiminimax"];
        let checks = ["plan", "prospects"];
        let samples = ["mcts", "mcts", "montecarlo", "analyse", "best", "solve", "solve"];
        let name = match random.below(10) {
            0 if is_alone => *random.pick(&checks),
            1..=4 if is_alone => *random.pick(&plans),
            0..=4 if space.chance.is_none() => *random.pick(&contests),
            0..=4 => *random.pick(&means),
            5 if !is_alone && space.chance.is_none() => *random.pick(&means),
            5 | 6 if space.players().len() > 1 => "nash",
            // Random games that cannot end take long.
            _ if space.ends().next().is_none() => "solve",
            _ => *random.pick(&samples),
        };
        let question = Self {
            name,
            line: name.to_string(),
            depth: None,
            extends: false,
            evaluates: false,
            nodes: None,
            goal: None,
            is_shortest: false,
            uniform: false,
        };
        let mut draft = Draft { random, question };
        match name {
            "mcts" | "montecarlo" => draft.sample(game),
            "analyse" => draft.analysis(game),
            "best" => draft.best(game),
            "solve" => draft.solution(),
            "plan" => draft.check(game),
            "prospects" => draft.question.line = "maxscore --values".to_string(),
            _ if plans.contains(&name) => draft.plan(game),
            _ => draft.contest(game, sheet),
        }
        draft.question
    }
}

impl Draft<'_> {
    fn add(&mut self, words: &str) {
        self.question.line += &format!(" {words}");
    }

    /// Adds an option in so many of a hundred cases.
    fn maybe(&mut self, share: usize, words: &str) -> bool {
        let is_added = self.random.percent(share);
        if is_added {
            self.add(words);
        }
        is_added
    }

    fn role(&mut self, game: &Game) {
        let role = *self.random.pick(&game.space.players());
        self.add(&game.space.roles[role].to_string());
    }

    fn nodes(&mut self, nodes: usize) {
        self.question.nodes = Some(nodes);
        self.add(&format!("--nodes {nodes}"));
    }

    /// Limits on depth and nodes; where lines may be endless there is always one.
    fn limits(&mut self, game: &Game, remembers: bool) {
        if self.random.percent(30) {
            let depth = self.random.between(1, 6);
            self.question.depth = Some(depth);
            self.add(&format!("--depth {depth}"));
        }
        if self.random.percent(15) {
            let nodes = self.random.between(2, 80);
            self.nodes(nodes);
        } else if !remembers || game.space.is_cyclic {
            self.nodes(2_000);
        }
    }

    fn plan(&mut self, game: &Game) {
        let name = self.question.name;
        let mut remembers = true;
        if ["bfs", "dfs", "ids", "astar", "ida", "greedy", "dive", "nested"].contains(&name) && self.random.percent(40)
        {
            let ends: Vec<f64> = game.space.ends().filter_map(|end| end.utilities[0]).collect();
            let goal = if ends.is_empty() || self.random.percent(30) { 60.0 } else { *self.random.pick(&ends) };
            self.question.goal = Some(goal);
            self.add(&format!("--goal {goal}"));
        }
        let mut is_admissible = true;
        if ["astar", "ida", "greedy"].contains(&name) && self.random.percent(70) {
            let heuristic = *self.random.pick(&["hmax", "hadd", "hff"]);
            is_admissible = heuristic == "hmax";
            self.add(&format!("--heuristic {heuristic}"));
        }
        let is_by_generation = match name {
            "bfs" | "astar" | "greedy" => self.maybe(20, "--goal-test generation"),
            _ => false,
        };
        match name {
            "bfs" | "dfs" | "ids" | "astar" | "ida" | "greedy" => {
                let is_symmetric = name == "bfs" && self.maybe(30, "--symmetry");
                if !is_symmetric {
                    remembers = !self.maybe(25, "--tree-search");
                }
            }
            "maxscore" | "bestmove" => {
                remembers = !self.maybe(25, "--naive");
                self.maybe(20, "--exit no");
            }
            "bestplan" => match self.random.below(4) {
                0 => {
                    self.add("--shortest");
                    self.question.is_shortest = true;
                }
                1 => {
                    self.add("--all");
                    self.question.is_shortest = true;
                }
                2 if !game.space.is_cyclic => self.add("--optimal"),
                _ => remembers = !self.maybe(30, "--naive"),
            },
            _ => {}
        }
        self.question.is_shortest |= match name {
            "bfs" | "ids" => true,
            "astar" => is_admissible && !is_by_generation,
            "ida" => is_admissible,
            _ => false,
        };
        let follows_lines = ["dive", "nested"].contains(&name);
        if !follows_lines && !self.question.line.contains("--symmetry") {
            self.maybe(20, "--order random");
        }
        if follows_lines {
            self.add("--lines 20 --depth 30");
            self.question.depth = Some(30);
        } else {
            self.limits(game, remembers);
        }
    }

    fn contest(&mut self, game: &Game, sheet: &str) {
        let name = self.question.name;
        self.role(game);
        let prunes = matches!(name, "alphabeta" | "paranoid");
        let mut remembers = name == "iterative";
        if name != "nash" && name != "iterative" {
            remembers = self.maybe(35, "--table");
        }
        let is_symmetric = remembers && !["maxn", "iterative"].contains(&name) && self.maybe(30, "--symmetry");
        if prunes {
            let order = *self.random.pick(&["given", "evaluation", "estimate", "table", "best", "worst", "random"]);
            if self.random.percent(50) && (order != "table" || remembers) {
                self.add(&format!("--order {order}"));
            }
        }
        if prunes || name == "iterative" {
            self.maybe(30, "--killers");
            self.maybe(30, "--history");
            self.maybe(30, "--null-windows");
        }
        if name == "iterative" {
            self.maybe(40, "--aspiration");
        }
        if matches!(name, "minimax" | "negamax") {
            self.maybe(30, "--values");
        }
        if !matches!(name, "maxn" | "nash" | "iterative" | "expectimax" | "expectiminimax") {
            self.maybe(30, "--ties");
        }
        if matches!(name, "expectimax" | "expectiminimax") {
            self.maybe(30, "--values");
            self.question.uniform = name == "expectimax" && game.space.chance.is_none();
            if name == "expectimax" && self.random.percent(50) {
                self.question.uniform = self.random.percent(50);
                let model = if self.question.uniform { "uniform" } else { "minimax" };
                self.add(&format!("--opponents {model}"));
            }
        }
        self.limits(game, remembers && (!game.space.is_cyclic || game.space.is_simultaneous()));
        if self.random.percent(50) && !is_symmetric {
            self.question.evaluates = true;
            self.add(&format!("--eval {sheet}"));
        }
        if self.question.depth.is_some() && !game.space.is_cyclic {
            self.question.extends = self.maybe(30, "--extend-forced");
        }
    }

    fn sample(&mut self, game: &Game) {
        self.role(game);
        let visits = self.random.between(1, 600);
        let seed = self.random.below(1000);
        self.question.nodes = Some(visits);
        self.add(&format!("--visits {visits} --seed {seed}"));
        let way = *self.random.pick(&["--single", "--decisive", "", ""]);
        self.add(way);
    }

    fn analysis(&mut self, game: &Game) {
        let is_alone = game.space.roles.len() == 1;
        let algorithm = if is_alone { "bestplan" } else { "mcts" };
        if self.random.percent(30) {
            self.add(&format!("--algorithm {algorithm}"));
        }
        self.nodes(600);
    }

    fn best(&mut self, game: &Game) {
        self.role(game);
        self.nodes(600);
    }

    /// `plan check` of some random moves.
    fn check(&mut self, game: &Game) {
        self.add("check");
        let mut number = 0;
        for _ in 0..self.random.between(1, 12) {
            let position = &game.space.positions[number];
            if position.is_terminal && self.random.percent(90) {
                break;
            }
            let own = self.random.below(position.legal[0].len().max(1));
            self.add(&position.legal[0].get(own).map_or("up".to_string(), ToString::to_string));
            number = position.next.get(own).copied().unwrap_or(number);
        }
    }

    fn solution(&mut self) {
        self.maybe(30, "--symmetry");
        if self.random.percent(15) {
            let nodes = self.random.between(2, 40);
            self.nodes(nodes);
        }
    }
}
