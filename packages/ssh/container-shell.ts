import type { Duplex } from 'node:stream';

/** The connection was lost or could not be established. Commands on it have no outcome. */
export class ShellConnectionLostError extends Error {
  constructor(message: string, options?: { cause?: unknown }) {
    super(message, options);
    this.name = 'ShellConnectionLostError';
  }
}

export type ScriptLimits = {
  seconds: number;
  outputBytes: number;
  /** A check: root of the container cannot trace it, and what it leaves running is killed. */
  isCheck?: boolean;
};

export type ScriptRun = {
  /** Standard output. Output beyond the limit is cut at its start. */
  output: string;
  isTruncated: boolean;
  /** How it ended: by itself, by the time limit, with its output held open by a child process, or killed from inside. */
  ending: 'exit' | 'timeout' | 'held' | 'killed';
  /** Why a function of the prologue gave up. The script is then FAIL whatever it has printed. */
  reasons?: readonly string[];
};

/** How a shell ended. */
export type ShellExit = {
  /** Null when a signal ended it, or the connection was lost. */
  code: number | null;
  /** Set when the connection was lost before the shell reported its end. A held shell may continue. */
  lost?: ShellConnectionLostError;
  /** Another connection has attached to the held shell, which continues. */
  isTakenOver?: boolean;
};

/** A shell with a terminal: a bidirectional byte stream. It ends when the shell does. */
export type TerminalStream = Duplex & {
  resize(cols: number, rows: number): void;
  /** Resolves once the shell has ended, after its last output. */
  readonly exit: Promise<ShellExit>;
  /** Where the shell outlives its connection. Destroying the stream does not end such a shell. */
  readonly held?: HeldShell;
};

/** A shell that a holder in the container keeps. The container can replace the holder: nothing that it reports is reliable. */
export interface HeldShell {
  /** Where the shell is found again, for `attach`. */
  readonly holder: string;
  /** Bytes of input that the holder has received from all connections. */
  readonly received: number;
  /** Bytes of input that the holder has received, or that this connection has accepted for it. */
  readonly accepted: number;
  /** Called whenever `received` has changed. */
  onReceived: () => void;
  /** Ends the shell, even one that reads no input. */
  hangUp(): void;
}

/** The output of a held shell that is sent first, with the changes of its size. */
export type KeptOutput = {
  /** The offset of its first byte in the output of the shell. */
  start: number;
  /** The size at its start. */
  size: TerminalSize;
  parts: (Buffer | TerminalSize)[];
};

export type TerminalSize = { cols: number; rows: number };

/** How much output a holder keeps, and for how many seconds it keeps a shell without a connection. */
export type HolderLimits = { bytes: number; seconds: number };

/** A file that is put into a container. */
export type PlacedFile = {
  /** Absolute, checked by `pathProblem`. */
  path: string;
  /** A user of the container, or `user:group`. */
  owner: string;
  /** Octal digits. */
  mode: string;
  bytes: number;
  /** Its content in chunks. */
  read: () => AsyncIterable<Uint8Array>;
};

/** A file of a container, as its user names it. */
export type FilePlace = {
  /** What is not absolute begins in the current folder of the held shell, or without one in the home folder. */
  path: string;
  /** Where the shell is found, see `HeldShell`. */
  holder: string | undefined;
};

/** Why the account of a connection cannot read or write a file. `full`: not all of it could be stored. */
export const fileRefusals = ['missing', 'denied', 'folder', 'special', 'exists', 'large', 'full'] as const;
export type FileRefusal = (typeof fileRefusals)[number];

export class FileRefusedError extends Error {
  readonly reason: FileRefusal;

  constructor(reason: FileRefusal) {
    super(`the file is refused: ${reason}`);
    this.name = 'FileRefusedError';
    this.reason = reason;
  }
}

/** A regular file that is open in the container. */
export type OpenedFile = {
  /** Absolute. */
  path: string;
  /** Its size when it was opened. It can change, and is 0 for files of the kernel. */
  bytes: number;
  /** Fails if the connection is lost, or if more than the permitted bytes come. */
  content: AsyncIterable<Uint8Array>;
};

/** A place in the container that takes a file. */
export type AwaitedFile = {
  path: string;
  /**
   * The whole file replaces what was at the path in one step; with fewer bytes than announced nothing changes.
   * @throws FileRefusedError, ShellConnectionLostError, and any error of the content
   */
  write(content: AsyncIterable<Uint8Array>): Promise<void>;
};

/** An open connection to one account of one container. */
export interface ShellConnection extends AsyncDisposable {
  readonly isOpen: boolean;
  /** Whether it does without the container's SSH server. Its terminals are plain shells, which read no start-up files. */
  readonly isPlain: boolean;
  /** Resolves when the connection has ended, for any reason. */
  readonly closed: Promise<void>;
  /**
   * Runs a verification script: sent over standard input, in a clean environment, with a time limit after which its whole
   * process group is killed. The next script of a sequence may be given before the last one has ended. It begins after that.
   * @param sequence any object. Scripts with the same one run one after another, the others at once
   * @throws ShellConnectionLostError
   */
  runScript(script: string, limits: ScriptLimits, sequence?: object): Promise<ScriptRun>;
  /**
   * Puts files into the container, in their order. Missing folders are created for the owner of the file. An existing file or symbolic
   * link is replaced. One file after another is read.
   * @returns why it failed, as the container reports it; undefined after a success
   * @throws ShellConnectionLostError, also after `seconds`, and any error of a read
   */
  putFiles(files: readonly PlacedFile[], seconds: number): Promise<string | undefined>;
  /**
   * Opens a file with the rights of the account. Only regular files are read, wherever links lead.
   * @param limits of its size, and seconds until the whole file must have been read
   * @throws FileRefusedError, ShellConnectionLostError
   */
  readFile(place: FilePlace, limits: { bytes: number; seconds: number }): Promise<OpenedFile>;
  /**
   * Prepares to write a file with the rights of the account. An existing file keeps its mode.
   * @param bytes of the content
   * @param replaces whether an existing file may be replaced
   * @throws FileRefusedError, ShellConnectionLostError
   */
  writeFile(place: FilePlace, file: { bytes: number; replaces: boolean; seconds: number }): Promise<AwaitedFile>;
  /** Opens a login shell on a terminal of `cols` x `rows` characters. @throws ShellConnectionLostError */
  openTerminal(size: TerminalSize): Promise<TerminalStream>;
  /**
   * Starts a login shell that outlives this connection.
   * @returns undefined in a container without a holder, and where it cannot start @throws ShellConnectionLostError
   */
  openHeldTerminal(size: TerminalSize, limits: HolderLimits): Promise<TerminalStream | undefined>;
  /**
   * Attaches to a held shell, in place of its earlier connection.
   * @param from the offset of the first byte of output that is wanted
   * @returns undefined where there is no such shell @throws ShellConnectionLostError
   */
  attach(holder: string, from: number): Promise<{ terminal: TerminalStream; kept: KeptOutput } | undefined>;
}

/** People work as `student` or as `root`. Scripts and set-ups run as `grader`. */
export type ShellAccount = 'student' | 'root' | 'grader';

/** The ways into a container, which its engine opens. */
export type ContainerDoors = {
  /**
   * Starts the SSH server of the grader volume on a byte stream. The client writes the server's initial input (keys, see `SshShell`).
   * @param isForChecks no other process of the container can trace what this connection runs
   */
  openSshStream(ref: string, isForChecks?: boolean): Promise<Duplex>;
  /** Runs a script as root, without the SSH server. It can use only programs of the grader volume. */
  openCommand(ref: string, script: string): Promise<OpenedCommand>;
};

export type OpenedCommand = {
  /** Standard input and output. Its input cannot be ended alone. */
  stream: Duplex;
  /** To be called after the end of the output. @returns undefined where the connection was lost */
  exitCode(): Promise<number | undefined>;
};

/** Connects to accounts of containers. */
export interface ContainerShell {
  /**
   * @param options.isPlain whether to do without the container's SSH server. Otherwise that is done where it does not let the account in
   * @throws ShellConnectionLostError, and what the engine throws
   */
  connect(ref: string, account: ShellAccount, options?: { isPlain?: boolean }): Promise<ShellConnection>;
}
