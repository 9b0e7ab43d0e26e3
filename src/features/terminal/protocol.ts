/** The subprotocol with messages. Without it a socket carries only the terminal's bytes. */
export const subprotocol = 'terminal.v1';

export const closeCodes = {
  shellEnded: 1000,
  goingAway: 1001,
  unexpected: 1011,
  tryAgainLater: 1013,
  token: 4401,
  forbidden: 4403,
  noContainer: 4404,
  notRunning: 4409,
  containerGone: 4410,
  tooMany: 4429,
} as const;

export type CloseCode = (typeof closeCodes)[keyof typeof closeCodes];

/** The clock of the attempt is stopped, or its lost machine is being replaced. */
export type WaitReason = 'held' | 'replacing';

/** Why a terminal ends or could not be opened. `detail` becomes the close frame's reason: at most 123 bytes. */
export class TerminalClosedError extends Error {
  readonly code: CloseCode;
  /** Why a client has to wait, where that can take long. */
  readonly wait: WaitReason | undefined;

  constructor(code: CloseCode, detail: string, options: { cause?: unknown; wait?: WaitReason } = {}) {
    super(detail, options);
    this.wait = options.wait;
    this.name = 'TerminalClosedError';
    this.code = code;
  }
}

export type Size = { cols: number; rows: number };

type NoticeReason = 'time' | 'taken_over' | 'watched' | 'unwatched' | 'disk' | 'screen_lost' | 'held' | 'released';

/** The shell is in a machine that replaces a lost one. The files of the home folder are from that time; null: none was kept. */
type ReplacedNotice = { type: 'notice'; reason: 'replaced'; seconds_left: null; home_kept_at: string | null };

/** A message of an instructor to those who take an exam. */
type TextNotice = { type: 'notice'; reason: 'message'; seconds_left: null; text: string };

/** What a watcher and the user of a terminal say about typing along. */
const typingActs = ['ask_to_type', 'allow_typing', 'refuse_typing', 'end_typing'] as const;
export type TypingAct = (typeof typingActs)[number];
const isTypingAct = (type: unknown): type is TypingAct => typingActs.some((act) => act === type);

/** Why nobody types along, or no longer. */
export type TypingEnd =
  | 'not_allowed'
  | 'busy'
  | 'away'
  | 'held'
  | 'failed'
  | 'refused'
  | 'unanswered'
  | 'withdrawn'
  | 'ended'
  | 'left';

export type ServerMessage =
  | {
      type: 'ready';
      session_id: string;
      cols: number;
      rows: number;
      is_read_only: boolean;
      is_resumed: boolean;
      /** Bytes of input that the session has accepted. Null where they are not counted. */
      input_bytes: number | null;
      /** Seconds that the shell outlives its last connection. Null: it ends with its container. */
      resume_seconds: number | null;
      /** Whether it is a plain shell, without start-up files. */
      is_plain: boolean;
    }
  | { type: 'received'; input_bytes: number }
  | { type: 'exit'; code: number | null }
  | { type: 'notice'; reason: NoticeReason; seconds_left: number | null }
  | ReplacedNotice
  | TextNotice
  | {
      type: 'typing_along';
      state: 'asked' | 'active' | 'ended';
      /** Of the other one: of the watcher for the user, of the user for the watcher. Null: it was refused before the user was asked. */
      name: string | null;
      /** Whether the other one typed last. */
      is_typing: boolean;
      /** Why it has ended. */
      reason: TypingEnd | null;
    }
  | { type: 'error'; detail: string; code?: WaitReason | undefined }
  | { type: 'pong' };

export type ClientMessage =
  | { type: 'resize'; cols: unknown; rows: unknown }
  | { type: 'input'; data: unknown }
  | { type: 'pause' | 'resume' | 'ping' | 'acknowledge' | 'end' }
  | { type: TypingAct };

const maxCols = 500;
const maxRows = 300;
export const sizeRule = `cols is a whole number from 1 to ${maxCols}, rows from 1 to ${maxRows}`;

const isWithin = (value: unknown, max: number): value is number =>
  typeof value === 'number' && Number.isInteger(value) && value >= 1 && value <= max;

export function parseSize(cols: unknown, rows: unknown): Size | undefined {
  return isWithin(cols, maxCols) && isWithin(rows, maxRows) ? { cols, rows } : undefined;
}

/** A text frame as a message, or undefined where it is not one of ours. */
export function parseMessage(text: string): ClientMessage | undefined {
  if (!text.trimStart().startsWith('{')) return undefined;
  let value: Record<string, unknown>;
  try {
    value = JSON.parse(text);
  } catch {
    return undefined;
  }
  switch (value['type']) {
    case 'resize':
      return { type: 'resize', cols: value['cols'], rows: value['rows'] };
    case 'input':
      return { type: 'input', data: value['data'] };
    case 'pause':
    case 'resume':
    case 'ping':
    case 'acknowledge':
    case 'end':
      return { type: value['type'] };
    default:
      return isTypingAct(value['type']) ? { type: value['type'] } : undefined;
  }
}
