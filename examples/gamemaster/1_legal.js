// First step: the course's template. It makes the first legal move; whoever reads it sees what every player needs.

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
  return findlegalx(state, library);
}

function stop (move) {
  return false;
}

function abort () {
  return false;
}
