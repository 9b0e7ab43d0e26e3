import { session } from '../api/session.ts';
import type { Message, Notice, Ready, Typing, TypingAct } from './messages.ts';
import { OutputFlow } from './output-flow.ts';
import type { KeptShell } from './shell-id.ts';
import { UnreceivedInput } from './unreceived-input.ts';

/**
 * `connecting`, `open`, `reconnecting` and `waiting` (for a container that stopped) change without the user's action. The others stay
 * until the user acts: `unreachable` is a machine that has not answered for a minute.
 */
export type TerminalState =
  | 'connecting'
  | 'open'
  | 'reconnecting'
  | 'waiting'
  | 'ended'
  | 'gone'
  | 'notRunning'
  | 'notFound'
  | 'tooMany'
  | 'forbidden'
  | 'unreachable'
  | 'takenOver';

export type TerminalEvents = {
  state: (state: TerminalState) => void;
  /** `isReplaced`: the shell is a new one, because the previous one has ended. */
  ready: (ready: Ready & { isReplaced: boolean }) => void;
  notice: (notice: Notice) => void;
  typing: (typing: Typing) => void;
  /** Keys that wait for the service's confirmation too long; 0 when none do any more. */
  late: (keys: number) => void;
  /** Bytes for the screen; `done` when they are drawn. */
  output: (bytes: Uint8Array, done: () => void) => void;
};

/** The meaning of a close code (docs/terminal.md) for the user. Any other code is a lost connection. */
const finalCodes: Record<number, TerminalState> = {
  1000: 'ended',
  4403: 'forbidden',
  4404: 'notFound',
  4410: 'gone',
  4429: 'tooMany',
};

/** After these codes there is no shell to end. */
const endedCodes: Record<number, true> = { 1000: true, 4403: true, 4404: true, 4409: true, 4410: true };

const ignore = (): void => undefined;

const times = {
  /** Milliseconds between attempts. The last value repeats. */
  backoff: [300, 1000, 2000, 3000],
  /** The interval of pings, and the time allowed for an answer. */
  ping: 20_000,
  pong: 10_000,
  /** Input without a confirmation for so long is reported, which is checked as often. */
  late: 3000,
  lateCheck: 500,
  /** A shell that ends so soon was probably ended by a start-up file. */
  early: 5000,
};
/** Bytes of input in one frame. */
const frameBytes = 64 * 1024;
/** The next connection restarts an attempt's container that was killed. After this many restarts, the user is informed. */
const notRunningTries = 3;
/** Connections that the service accepts and closes at once, because it does not reach the machine. They take a minute. */
const unreachableTries = 20;
/** The service does not reach the machine. */
const unreachableCodes: readonly number[] = [1011, 1013];

/**
 * One terminal of one container over `terminal.v1`. It reconnects automatically and resumes the same shell, even after a reload of the
 * page. Where the token is refused, it waits for a login.
 */
export class TerminalConnection {
  readonly #containerId: number;
  #events: TerminalEvents;
  #shell: KeptShell;
  readonly #stop = new AbortController();
  /** Of the last connection. */
  #token = '';
  #socket: WebSocket | undefined;
  #size = { cols: 80, rows: 24 };
  #tries = 0;
  #notRunning = 0;
  #isTakenOver = false;
  readonly #input = new UnreceivedInput();
  /** Whether the service accepts input on this connection. */
  #isReady = false;
  /** Another user's shell. What is typed along in it is not sent again. */
  #isReadOnly = false;
  /** The user has closed the tab: nothing is shown any more, and the shell is ended as soon as the service can be reached. */
  #isEnding = false;
  /** The shell that this tab had has ended, and another one is opened in its place. */
  #isReplaced = false;
  /** Whether the next new shell is a plain one. */
  #isPlain: boolean;
  #unreachable = 0;
  /** The service has said that connections have to wait. */
  #isHeldOff = false;
  #readyAt = Number.NEGATIVE_INFINITY;
  #late = 0;
  #lateTimer: ReturnType<typeof setInterval> | undefined;
  #timers: {
    retry?: ReturnType<typeof setTimeout>;
    ping?: ReturnType<typeof setInterval>;
    pong?: ReturnType<typeof setTimeout>;
  } = {};

  /** @param isPlain whether its first shell is a plain one */
  constructor(containerId: number, shell: KeptShell, events: TerminalEvents, isPlain = false) {
    this.#containerId = containerId;
    this.#events = events;
    this.#shell = shell;
    this.#isPlain = isPlain;
    // The network is back, so it retries at once.
    addEventListener('online', () => this.#retryNow(), { signal: this.#stop.signal });
  }

  /** Opens a shell, or resumes the shell of this tab. */
  connect({ isNew = false } = {}): void {
    if (isNew) this.#shell.value = undefined;
    this.#input.clear();
    this.#isTakenOver = false;
    this.#notRunning = 0;
    this.#unreachable = 0;
    this.#events.state('connecting');
    void this.#open();
  }

  /** Accepts a paste of any length. The service closes a connection whose frame is too long. */
  type(data: string | Uint8Array<ArrayBuffer>): void {
    const bytes = typeof data === 'string' ? new TextEncoder().encode(data) : data;
    if (this.#stop.signal.aborted) return;
    if (this.#isReadOnly) {
      if (this.#isReady) this.#send(bytes);
      return;
    }
    this.#input.add(bytes);
    // Until then it waits behind what has to be sent again.
    if (this.#isReady) this.#send(bytes);
    this.#lateTimer ??= setInterval(() => this.#reportLate(), times.lateCheck);
  }

  /** Asks to type along, answers that, or ends it. */
  tell(act: TypingAct): void {
    this.#sendMessage({ type: act });
  }

  /** Gives up the present connection, which may be dead, for another one. */
  reconnect(): void {
    const socket = this.#socket;
    this.#socket = undefined;
    socket?.close();
    this.#events.state('reconnecting');
    void this.#open();
  }

  #reportLate(): void {
    const { count, milliseconds } = this.#input.waiting;
    const late = milliseconds >= times.late ? count : 0;
    if (late !== this.#late) this.#events.late(late);
    this.#late = late;
    if (count > 0) return;
    clearInterval(this.#lateTimer);
    this.#lateTimer = undefined;
  }

  resize(cols: number, rows: number): void {
    if (cols === this.#size.cols && rows === this.#size.rows) return;
    this.#size = { cols, rows };
    this.#sendMessage({ type: 'resize', cols, rows });
  }

  /** Ends the shell, also where the connection is lost at the moment. The tab's next shell is another one. */
  end(): void {
    const { value } = this.#shell;
    this.#shell.value = undefined;
    this.#shell = { value };
    this.#isEnding = value !== undefined;
    if (this.#isReady) this.#sendMessage({ type: 'end' });
  }

  /** A shell that is being ended keeps its connection until then. */
  close(): void {
    if (this.#isEnding)
      this.#events = {
        state: ignore,
        ready: ignore,
        notice: ignore,
        typing: ignore,
        late: ignore,
        output: (_bytes, done) => done(),
      };
    else this.#finish();
  }

  #finish(): void {
    this.#stop.abort();
    clearInterval(this.#lateTimer);
    this.#clear();
    this.#socket?.close();
  }

  async #open(): Promise<void> {
    this.#clear();
    const token = await session.token(this.#stop.signal);
    if (token === undefined || this.#stop.signal.aborted) return;
    this.#token = token;
    const address = new URL(`/ws/terminal/${this.#containerId}`, location.href);
    address.protocol = location.protocol === 'https:' ? 'wss:' : 'ws:';
    const { cols, rows } = this.#size;
    const id = this.#shell.value;
    address.search = new URLSearchParams({
      token,
      cols: `${cols}`,
      rows: `${rows}`,
      ...(id ? { session: id } : this.#isPlain ? { is_plain: 'true' } : {}),
    }).toString();
    const socket = new WebSocket(address, 'terminal.v1');
    socket.binaryType = 'arraybuffer';
    this.#socket = socket;
    const flow = new OutputFlow((message) => {
      if (socket === this.#socket) this.#sendMessage(message);
    });
    socket.onmessage = ({ data }: MessageEvent<ArrayBuffer | string>) => {
      if (socket !== this.#socket || this.#stop.signal.aborted) return;
      if (typeof data === 'string') this.#receive(JSON.parse(data) as Message);
      else this.#draw(new Uint8Array(data), flow);
    };
    socket.onclose = ({ code }) => {
      if (socket === this.#socket) this.#closed(code, id !== undefined);
    };
  }

  #send(bytes: Uint8Array<ArrayBuffer>): void {
    for (let offset = 0; offset < bytes.length; offset += frameBytes)
      this.#sendFrame(bytes.subarray(offset, offset + frameBytes));
  }

  #receive(message: Message): void {
    if (message.type === 'ready' && this.#isEnding) {
      this.#tries = 0;
      this.#sendMessage({ type: 'end' });
      return;
    }
    if (message.type === 'error') this.#isHeldOff = message.code !== undefined;
    // The terminal is held. The shell ends some time after its connection.
    if (message.type === 'error' && this.#isEnding) this.#finish();
    if (message.type === 'ready') {
      if (!message.is_read_only) this.#shell.value = message.session_id;
      this.#isPlain = false;
      this.#isReadOnly = message.is_read_only;
      if (message.is_read_only) this.#input.clear();
      else this.#send(this.#input.ready(message.input_bytes));
      this.#isReady = true;
      if (!message.is_read_only && message.input_bytes !== null) this.#sendMessage({ type: 'acknowledge' });
      this.#tries = 0;
      this.#notRunning = 0;
      this.#unreachable = 0;
      this.#readyAt = performance.now();
      clearInterval(this.#timers.ping);
      this.#timers.ping = setInterval(() => this.#ping(), times.ping);
      // The window size may have changed during the connection setup.
      this.#sendMessage({ type: 'resize', ...this.#size });
      this.#events.state('open');
      this.#events.ready({ ...message, isReplaced: this.#isReplaced });
      this.#isReplaced = false;
    }
    if (message.type === 'notice') {
      if (message.reason === 'taken_over') this.#isTakenOver = true;
      this.#events.notice(message);
    }
    if (message.type === 'typing_along') this.#events.typing(message);
    if (message.type === 'received') this.#input.received(message.input_bytes);
    if (message.type === 'pong') clearTimeout(this.#timers.pong);
  }

  #draw(bytes: Uint8Array, flow: OutputFlow): void {
    flow.received(bytes.length);
    this.#events.output(bytes, () => flow.drawn(bytes.length));
  }

  #closed(code: number, hadSession: boolean): void {
    this.#clear();
    this.#socket = undefined;
    if (this.#stop.signal.aborted) return;
    if (this.#isEnding && code in endedCodes) {
      this.#finish();
      return;
    }
    if (code === 1000) this.#shell.value = undefined;
    if (code === 1000) this.#isPlain = performance.now() - this.#readyAt < times.early;
    if (!this.#isHeldOff && unreachableCodes.includes(code)) this.#unreachable += 1;
    this.#isHeldOff = false;
    if (code === 4401) void session.refused(this.#token);
    const final = this.#finalState(code, hadSession);
    this.#events.state(final ?? (code === 4409 ? 'waiting' : 'reconnecting'));
    if (final) return;
    // The shell has ended without this page: opens a new shell in the same container at once.
    const isNew = code === 4404;
    if (isNew) {
      void this.#openOther();
      return;
    }
    const wait = times.backoff[Math.min(this.#tries, times.backoff.length - 1)] ?? 0;
    this.#tries += 1;
    this.#timers.retry = setTimeout(() => void this.#open(), wait);
  }

  /** The shell has ended. What was typed is not meant for another one, whether that is new or was left elsewhere. */
  async #openOther(): Promise<void> {
    this.#shell.value = undefined;
    this.#input.clear();
    const other = await this.#shell.findOther?.();
    if (this.#stop.signal.aborted) return;
    this.#shell.value = other;
    this.#isReplaced ||= other === undefined;
    await this.#open();
  }

  /** The final state of a closed connection, where there is no retry. */
  #finalState(code: number, hadSession: boolean): TerminalState | undefined {
    if (this.#isTakenOver) return 'takenOver';
    if (code === 4404 && hadSession) return undefined;
    if (this.#unreachable > unreachableTries) return 'unreachable';
    if (code === 4409) {
      this.#notRunning += 1;
      return this.#notRunning > notRunningTries ? 'notRunning' : undefined;
    }
    return finalCodes[code];
  }

  /** A connection can be dead for minutes before the browser notices. */
  #ping(): void {
    this.#sendMessage({ type: 'ping' });
    clearTimeout(this.#timers.pong);
    const socket = this.#socket;
    this.#timers.pong = setTimeout(() => {
      if (!socket || socket !== this.#socket) return;
      socket.close();
      // Closing a dead connection is not answered for a long time either.
      this.#closed(1006, true);
    }, times.pong);
  }

  #retryNow(): void {
    if (this.#timers.retry !== undefined) void this.#open();
  }

  #sendMessage(message: object): void {
    this.#sendFrame(JSON.stringify(message));
  }

  /** A connection that is closing takes nothing. The next one sends the input again, and its own messages. */
  #sendFrame(frame: string | Uint8Array<ArrayBuffer>): void {
    if (this.#socket?.readyState === WebSocket.OPEN) this.#socket.send(frame);
  }

  #clear(): void {
    clearTimeout(this.#timers.retry);
    clearInterval(this.#timers.ping);
    clearTimeout(this.#timers.pong);
    this.#timers = {};
    this.#isReady = false;
  }
}
