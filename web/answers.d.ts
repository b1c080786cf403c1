// The types of what the page is answered. `node web/tests/types.mjs` makes this file of the Rust types; web/test compares
// the two.

/** A position as a page shows it. */
export interface PositionView {
  game: string;
  /** The number of plies since the match began. */
  ply: number;
  is_over: boolean;
  /** True if the rules define the percepts of each role, so that a role need not see the whole state. */
  has_percepts: boolean;
  /** True if `mcts --net trained` plays the game: the server has a network that has learned it, which sees the state. */
  has_network: boolean;
  /** What the position is shown by, if it is what a role knows. */
  known?: KnownPosition;
  /** For each ply the percepts of each role, if the rules define them; a jump to a state has `null`. */
  percepts?: (string[][] | null)[];
  roles: RoleView[];
  /** The boards. */
  grids: Grid[];
  /** The lines of text for the facts that the boards do not show. */
  lines: string[];
  /** The facts of relations that may change during the match. */
  facts: string[];
  /** The facts of relations that never change. */
  constant: string[];
  /** The squares that the last joint move changed. */
  changed: [number, number, number][];
  /** The joint moves since the match began; a jump to a state is `null`, and so are moves that are hidden. */
  plies: ((string | null)[] | null)[];
  /** The same moves with sealed names, by which a page can repeat them, if the roles need not see all moves. */
  sealed?: (string[] | null)[];
  /** The dialect of the sheet, in which questions about the position are written. */
  dialect: Dialect;
  /** The move of roles without control, in a game with operations: it is not shown, since the sheet does not have it. */
  idle: string | null;
}

/** What a role knows of a position, beside what is shown of it. */
export interface KnownPosition {
  /** The role; `null` if no role is played at the page, which then is shown nothing. */
  role: string | null;
  /** The number of states that it thinks possible. */
  states: number;
  /** True if these are all; false for a sample. */
  is_complete: boolean;
  /** The squares that differ among these states; the boards are empty there. */
  beliefs: SquareBelief[];
}

/** A square that differs among the states that a role thinks possible. */
export interface SquareBelief {
  place: [number, number, number];
  /** What may stand there, the most frequent first; nothing does in the other states. */
  things: PossibleSquare[];
}

/** What may stand on a square. */
export interface PossibleSquare {
  square: Square;
  /** The share of the possible states in which it does. */
  share: number;
}

/** A role in a position. */
export interface RoleView {
  role: string;
  /** The legal moves. */
  legal: string[];
  /** The utility, if there is exactly one. */
  utility: number | null;
}

/** A legal move of a role that has a choice, the squares that it changes, and those by which a user means it. */
export type MoveTarget = Gesture & {
  role: string;
  move: string;
  squares: [number, number, number][];
};

/** What can be asked about a square. */
export interface AboutSquare {
  /** The facts that are seen there. */
  facts: string[];
  /** The moves that name it, legal or not. Moves that are not legal are known where the rules define `input`. */
  moves: NamedMove[];
}

/** A move of a role that names a square. */
export interface NamedMove {
  role: string;
  move: string;
  is_legal: boolean;
}

/** The card of a game of the library. */
export interface GameCard {
  /** The number of players without chance. */
  players: number;
  kind: PlayKind;
  /** The columns and rows of the board; playing cards and nodes of trees have no such size. */
  size: string | null;
  /** The largest board in the initial state, or after some moves if nothing stands there before. */
  board: Grid | null;
}

/** What a game is for its players. */
export type PlayKind =
  | "chance"
  | "puzzle"
  | "contest";

/**
 * The squares by which a user means a move. `carried` and `placed` are never both filled, and both are empty if the move
 * changes no square.
 */
export interface Gesture {
  /** The squares between which the move carries pieces, from and to: a user picks a piece up and puts it down. */
  carried: [[number, number, number], [number, number, number]][];
  /** The squares of a move that carries nothing, each of which stands for it. */
  placed: [number, number, number][];
}

/** Result of checking, formatting or loading a text: a JSON object. */
export interface TextVerdict {
  /** The answer of `load`, if it has been loaded. */
  loaded?: any;
  /** The formatted text, or the rule sheet that was made of a tree or a layout. */
  text?: string;
  diagnostics: JsonDiagnostic[];
  error?: string;
}

/** A candidate for a completion. */
export interface EditorCandidate {
  name: string;
  kind: WordKind;
  detail: string;
  text: string;
  /** True if the text is a snippet, with places for the arguments. */
  is_snippet: boolean;
}

/** The engine that plays the loaded game. */
export interface PlayingEngine {
  /** True if the interpreter plays until a network is built. */
  is_building: boolean;
  /** The reason for which there is no network, if it could not be built. */
  problem: string | null;
}

/** An option of a command as a control of a page, made of the table from which parsing and help are made. */
export type Control = ControlKind & {
  /** The option as it is typed: `--depth`. */
  name: string;
  /** Its name in words. */
  label: string;
  help: string;
  /** Its default, in words. */
  default: string;
  /** The unit or the form of the value: `MOVES`. */
  form: string;
};

/** Kind of a control. */
export type ControlKind =
  | { kind: "check"; has_number: boolean }
  | { kind: "number"; is_whole: boolean }
  | { kind: "choice"; of: string[]; is_bare: boolean }
  | { kind: "text" };

/** A board as it is drawn. */
export interface Grid {
  /** The words above it; empty if there are none. */
  title: string;
  /** The squares, row by row from the top. */
  squares: Square[][];
  /** The labels of the rows; empty if there are none. */
  rows: string[];
  /** The labels of the columns; empty if there are none. */
  columns: string[];
  /** The rows before which a heavier line divides boards within the board. */
  row_breaks: number[];
  /** The columns before which there is such a line. */
  column_breaks: number[];
  /** True if the labels of the columns are below the board, since its rows are counted from there. */
  is_upwards: boolean;
  /** The half squares by which each row of hexagons is further to the right; empty if squares are no hexagons. */
  shifts: number[];
  /** True if squares are three times as wide as high. */
  is_wide: boolean;
  /** The lines between squares, such as the branches of a tree. */
  links?: GridLine[];
}

/** A line from the middle of a square to the middle of another, drawn below the pieces there. */
export interface GridLine {
  /** The row and the column where it begins. */
  from: [number, number];
  /** The row and the column where it ends. */
  to: [number, number];
  /** The words on it; empty if there are none. */
  text: string;
}

/** A square of a board. */
export interface Square {
  /** The text on it; empty if nothing stands there. */
  text: string;
  /** The colour of the text, as CSS writes it; black without one. */
  colour?: string;
  /** The shape that stands for the text, if there is one. */
  pictogram?: Pictogram;
  /** The shapes that share the square, if there are several. */
  pieces?: Pictogram[];
  /** The ground behind the text. */
  ground?: Ground;
  /** The label in its corner, where no row or column has one; empty if there is none. */
  label?: string;
}

/** The ground behind the text of a square. */
export type Ground =
  | "open"
  | "wall"
  | "outside"
  | "pole"
  | { disc: number }
  | "bare"
  | "card"
  | "pit"
  | "store";

/** A piece as it is drawn. */
export interface Pictogram {
  /** Its shape. */
  shape: PieceShape;
  /** The colour of its body, as CSS writes it. */
  fill: string;
  /** The colour of its outline and of its details, as CSS writes it. */
  ink: string;
}

/** The shapes of pieces. */
export type PieceShape =
  | "king"
  | "queen"
  | "rook"
  | "bishop"
  | "knight"
  | "pawn"
  | "disc"
  | "crowned"
  | "stone"
  | "cross"
  | "ring"
  | "wall"
  | "block"
  | "tile"
  | "pellet"
  | "ghost"
  | "eater"
  | "door"
  | "lamp"
  | "gem"
  | "person"
  | "arrow_up"
  | "arrow_down"
  | "arrow_left"
  | "arrow_right"
  | "die1"
  | "die2"
  | "die3"
  | "die4"
  | "die5"
  | "die6"
  | "node"
  | "seed"
  | "open_door"
  | "car"
  | "rock"
  | "paper"
  | "scissors"
  | "fist"
  | "burnt";

/**
 * A problem as an object. Lines and columns count from 1, columns in characters; the end is the position after the
 * last character. They are null for problems of the sheet as a whole.
 */
export interface JsonDiagnostic {
  severity: Severity;
  code: string;
  name: string;
  message: string;
  file: string;
  line: number | null;
  column: number | null;
  end_line: number | null;
  end_column: number | null;
  labels: JsonLabel[];
  help: string | null;
  /** The edits that do what the help says. */
  fix?: JsonEdit[];
  /** Certainty that the edits keep the meaning of the sheet. */
  fix_certainty?: Certainty;
}

/** An edit as an object: the text between two positions is replaced. */
export interface JsonEdit {
  line: number;
  column: number;
  end_line: number;
  end_column: number;
  replacement: string;
}

/** A label as an object. */
export interface JsonLabel {
  line: number;
  column: number;
  end_line: number;
  end_column: number;
  message: string;
}

/** The severity of a problem. */
export type Severity =
  | "warning"
  | "error";

/** Certainty that a fixed sheet means what it meant before. */
export type Certainty =
  | "sound"
  | "guess";

/** A concrete syntax of GDL. */
export type Dialect =
  | "prefix"
  | "infix"
  | "operations";

/** Kinds of words and signs. */
export type WordKind =
  | "keyword"
  | "connective"
  | "relation"
  | "function"
  | "object"
  | "number"
  | "variable"
  | "comment";
