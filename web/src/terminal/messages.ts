/** The messages of the service in `terminal.v1` (docs/terminal.md). */
export type Ready = {
  is_read_only: boolean;
  is_resumed: boolean;
  /** Bytes of input that the session has accepted. Null where they are not counted. */
  input_bytes: number | null;
  /** Whether it is a plain shell, without start-up files. */
  is_plain?: boolean;
  /** Seconds that the shell outlives its last connection. Null: it ends with its container. */
  resume_seconds?: number | null;
};
export type Notice = {
  reason:
    | 'message'
    | 'time'
    | 'taken_over'
    | 'watched'
    | 'unwatched'
    | 'disk'
    | 'screen_lost'
    | 'replaced'
    | 'held'
    | 'released';
  seconds_left: number | null;
  /** Of `replaced`: the time of the files of the home folder; null: none were kept. */
  home_kept_at?: string | null;
};
/** What becomes of typing along. */
export type Typing = {
  state: 'asked' | 'active' | 'ended';
  /** Of the other one. Null: the user was not asked. */
  name: string | null;
  /** Whether the other one typed last. */
  is_typing: boolean;
  reason:
    | 'not_allowed'
    | 'busy'
    | 'away'
    | 'held'
    | 'failed'
    | 'refused'
    | 'unanswered'
    | 'withdrawn'
    | 'ended'
    | 'left'
    | null;
};
export type TypingAct = 'ask_to_type' | 'allow_typing' | 'refuse_typing' | 'end_typing';
export type Message =
  | ({ type: 'ready'; session_id: string } & Ready)
  | ({ type: 'notice' } & Notice)
  | ({ type: 'typing_along' } & Typing)
  | { type: 'received'; input_bytes: number }
  | { type: 'exit'; code: number | null }
  | { type: 'error'; detail: string; code?: 'held' | 'replacing' }
  | { type: 'pong' };
