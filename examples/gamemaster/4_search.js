// Fourth step: a search of ggp chooses. Twenty lines are a player that beats `mcts`: it proves what can be proven, and else
// plays hundreds of thousands of random games in a tree.

var role = "robot", library = [], state = [], playclock = 10;

function ping () { return "ready"; }
function stop (move) { return false; }
function abort () { return false; }

function start (r, rules, startclock, clock) {
  [role, playclock] = [r, numberize(clock)];
  library = definemorerules([], rules.slice(1));
  state = findinits(library);
  return "ready";
}

function play (move) {
  if (move !== nil) state = simulate(move, state, library);
  if (findcontrol(state, library) !== role) return false;
  const proven = solve(state, (playclock - 2) / 3);
  return proven.exact ? proven.move : search(state, "mcts", { seconds: (playclock - 2) / 2 }).move;
}
