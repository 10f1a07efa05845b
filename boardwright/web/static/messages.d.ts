// Made by tests/page_types.py from boardwright/web/messages.py.
export interface Answers {
  type: "answers";
  strength?: number | null;
  fun?: number | null;
  style?: string;
}
export interface Fill {
  type: "fill";
  seat: number;
  agent: string;
}
export interface Join {
  type: "join";
  token?: string | null;
  chances?: boolean;
  width?: number;
  touch?: boolean;
  patches?: boolean;
  tips?: boolean;
}
export interface Look {
  type: "look";
  seat: number | null;
}
export interface Move {
  type: "move";
  action: number;
  version: number;
}
export interface MoveSet {
  type: "move_set";
  places: (number)[];
  version: number;
}
export interface Pace {
  type: "pace";
  seconds: number;
}
export interface Pause {
  type: "pause";
  paused: boolean;
}
export interface Ping {
  type: "ping";
}
export interface Ready {
  type: "ready";
}
export interface Rematch {
  type: "rematch";
}
export interface Resign {
  type: "resign";
}
export interface Room {
  type: "room";
  width: number;
  touch?: boolean;
  toggled?: (number)[];
  tips?: boolean;
}
export interface Say {
  type: "say";
  text: string;
}
export interface Sit {
  type: "sit";
  seat: number;
  name?: string;
}
export interface TakeBack {
  type: "take_back";
}
export interface Think {
  type: "think";
  agent: string;
}
export type FromPage = Join | Room | Move | MoveSet | TakeBack | Resign | Pause | Pace | Think | Look | Rematch | Sit | Ready | Fill | Say | Answers | Ping;
export interface Chances {
  type: "chances";
  points: ([number, (number)[]])[];
}
export interface Chat {
  type: "chat";
  lines: (ChatLine)[];
}
export interface ChatLine {
  seat: number;
  name: string;
  text: string;
}
export interface Choice {
  action: number;
  text: string;
  number: number;
}
export interface ComparedFeature {
  name: string;
  here: (string)[];
  there: (string)[];
  distance: number | null;
}
export interface Compiling {
  type: "compiling";
  share: number;
}
export interface Decision {
  type: "decision";
  move: number;
  seat: number;
  agent: string;
  action: number;
  text: string;
  forced: boolean;
  summary: string;
  seconds: number;
  reasons: (Reason)[];
  cases: (RememberedCase)[];
  places: (number)[];
}
export interface LogEntry {
  move: number;
  seat: number;
  text: string;
  forced: boolean;
  revealed: (string)[];
}
export interface Pong {
  type: "pong";
}
export interface Reason {
  action: number;
  text: string;
  value: number | null;
  weight: number | null;
  visits: number | null;
  prior: number | null;
  note: string;
}
export interface Refusal {
  type: "refused";
  reason: string;
  final: boolean;
}
export interface RememberedCase {
  title: string;
  distance: number;
  done: string;
  means: string;
  features: (ComparedFeature)[];
  picture: string;
  text: string;
}
export interface ScoreSheet {
  has_points: boolean;
  parts: (string)[];
  rows: ((number)[])[];
  totals: (number)[];
}
export interface SeatShown {
  name: string;
  role: string;
  person: boolean;
  agent: string;
  advises: boolean;
  here: boolean;
  open: boolean;
  clock: number | null;
}
export interface Seated {
  type: "seated";
  table: string;
  seat: number;
  token: string;
}
export interface SetItem {
  text: string;
  detail: string;
  key: string;
}
export interface SetQuestion {
  verb: string;
  question: string;
  items: (SetItem)[];
  least: number;
  most: number;
}
export interface TableShown {
  player: number | null;
  over: boolean;
  picture: string;
  text: string;
  choices: (Choice)[];
  set: SetQuestion | null;
  scores: (number)[] | null;
  returns: (number)[] | null;
  sheet: ScoreSheet | null;
  tips: (TipShown)[];
  type: "table";
  id: string;
  version: number;
  game: string;
  title: string;
  seat: number;
  you: number | null;
  open: boolean;
  view: number | null;
  seats: (SeatShown)[];
  status: string;
  note: string;
  paused: boolean;
  wants_pause: (number)[];
  pace: number;
  clock: boolean;
  ticking: boolean;
  thinking: number | null;
  compiling: number | null;
  moves: number;
  since: number;
  can_take_back: boolean;
  decision: Decision | null;
  log_from: number;
  log: (LogEntry)[];
  picture_patch: ([number, number] | [number, string] | string)[] | null;
  text_patch: ([number, number] | [number, string] | string)[] | null;
  choosing: (number)[];
  asked_since: number;
  waiting_for: (number)[];
  wants_rematch: (number)[];
  next_game: boolean;
  wants_back: (number)[];
  back_of: number | null;
  asks: boolean;
  blind: boolean;
}
export interface TipShown {
  name: string;
  text: string;
  at: string;
}
export type ToPage = TableShown | Decision | Chances | Compiling | Refusal | Pong | Seated | Chat;
