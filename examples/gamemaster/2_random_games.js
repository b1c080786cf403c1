// Second step: random games, one after the other. For each legal move the games that begin with it are averaged; the move with
// the best mean is made. The course's own `mcs` does the same: here it plays a hundred times as many games.

var role = "robot";
var library = [];
var state = [];
var playclock = 10;

function ping () {
  return "ready";
}

function start (r, rules, startclock, clock) {
  role = r;
  playclock = numberize(clock);
  library = definemorerules([], rules.slice(1));
  state = findinits(library);
  return "ready";
}

function play (move) {
  if (move !== nil) state = simulate(move, state, library);
  if (findcontrol(state, library) !== role) return false;
  return best(findlegals(state, library), Date.now() + (playclock - 2) * 1000);
}

function best (actions, deadline) {
  if (actions.length === 1) return actions[0];
  const tried = actions.map((action) => ({ action, after: simulate(action, state, library), games: 0, sum: 0 }));
  while (Date.now() < deadline) {
    for (const one of tried) {
      one.games += 1;
      one.sum += randomgame(one.after);
    }
  }
  return tried.reduce((a, b) => (b.sum / b.games > a.sum / a.games ? b : a)).action;
}

/** What the role gets at the end of a random game. */
function randomgame (from) {
  while (!findterminalp(from, library)) {
    const actions = findlegals(from, library);
    from = simulate(actions[Math.floor(Math.random() * actions.length)], from, library);
  }
  return Number(findreward(role, from, library));
}

function stop (move) {
  return false;
}

function abort () {
  return false;
}
