// Third step: the same means, of hundreds of random games at once (`simulate_many`), and a look at the moves of the others: a
// move is worth what the best reply to it leaves.

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

/** The move whose worst reply is best, by means over more and more random games. */
function best (actions, deadline) {
  if (actions.length === 1) return actions[0];
  const tried = actions.map((action) => ({ action, replies: replies(simulate(action, state, library)) }));
  do tried.forEach(({ replies }) => replies.forEach(playgames)); while (Date.now() < deadline);
  const worth = ({ replies }) => Math.min(...replies.map(({ sum, games }) => sum / games));
  return tried.reduce((a, b) => (worth(b) > worth(a) ? b : a)).action;
}

/** The states after the replies of another role; the state itself if it is over or the role moves again. */
function replies (after) {
  const isOpen = !findterminalp(after, library) && findcontrol(after, library) !== role;
  const states = isOpen ? findlegals(after, library).map((reply) => simulate(reply, after, library)) : [after];
  return states.map((state) => ({ state, games: 0, sum: 0 }));
}

function playgames (one) {
  const { playouts, means } = simulate_many(one.state, 256);
  one.games += playouts;
  one.sum += playouts * means[role];
}

function stop (move) {
  return false;
}

function abort () {
  return false;
}
