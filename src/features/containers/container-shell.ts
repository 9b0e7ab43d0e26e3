import type { Duplex } from 'node:stream';

/** The connection was lost or could not be established. Commands on it have no outcome. */
export class ShellConnectionLost extends Error {
  constructor(message: string, options?: { cause?: unknown }) {
    super(message, options);
    this.name = 'ShellConnectionLost';
  }
}

export type ScriptRun = {
  /** Standard output. Output beyond the limit is cut at its start. */
  output: string;
  isTruncated: boolean;
  /** How it ended: by itself, by the time limit, with its output held open by a child process, or killed from inside. */
  ending: 'exit' | 'timeout' | 'held' | 'killed';
};

/** How a shell ended. */
export type ShellExit = {
  /** Null when a signal ended it, or the connection was lost. */
  code: number | null;
  /** Set when the connection was lost before the shell reported its end. */
  lost?: ShellConnectionLost;
};

/** A shell with a terminal: a bidirectional byte stream. It ends when the shell does. */
export type TerminalStream = Duplex & {
  resize(cols: number, rows: number): void;
  /** Resolves once the shell has ended, after its last output. */
  readonly exit: Promise<ShellExit>;
};

/** An open connection to one account of one container. */
export interface ShellConnection extends AsyncDisposable {
  readonly isOpen: boolean;
  /** Resolves when the connection has ended, for any reason. */
  readonly closed: Promise<void>;
  /**
   * Runs a verification script: sent over standard input, in a clean environment, with a time limit after which its whole
   * process group is killed. @throws ShellConnectionLost
   */
  runScript(script: string, limits: { seconds: number; outputBytes: number }): Promise<ScriptRun>;
  /** Opens a login shell on a terminal of `cols` x `rows` characters. @throws ShellConnectionLost */
  openTerminal(size: { cols: number; rows: number }): Promise<TerminalStream>;
}

export type ShellAccount = 'student' | 'grader';

/** Connects to accounts of containers. */
export interface ContainerShell {
  /** @throws ShellConnectionLost, NoSuchContainer, ContainerNotRunning, Unavailable */
  connect(ref: string, account: ShellAccount): Promise<ShellConnection>;
}
