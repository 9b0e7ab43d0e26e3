import type { ContainerStatus, StopReason, StudentAccount } from '../../database/tables.ts';
import type { Caller } from '../../http/access/access.ts';
import type { Size } from './protocol.ts';
import type { TypingNames } from './typing/typing-along.ts';

/** What the activity log says of watchers. */
export type WatchEvent = 'terminal_watch' | 'terminal_type' | 'terminal_type_end';

export type TerminalContainer = {
  id: number;
  ref: string;
  /** The account of its shells. */
  account: StudentAccount;
  status: ContainerStatus;
  user_id: number;
  expires_at: Date | null;
  /** An attempt's container lives as long as its attempt: it is restarted when it has stopped. */
  is_of_attempt?: boolean;
  /** It filled its disk and was stopped for good. */
  is_full?: boolean;
  /** Nobody works in it now: the clock of its attempt is stopped. */
  is_held?: boolean;
  /** Why it was stopped, where its user did not stop it. */
  stop_reason?: StopReason | null;
  /** The attempt of an exam's container. Its terminals are recorded. */
  exam_attempt_id?: number | null;
  /** If its machine is lost, it continues in another one. */
  is_replaced_when_lost?: boolean;
  /** Its machine is lost, and another one is being prepared. */
  is_being_replaced?: boolean;
  /** It replaces a lost one, with the home folder as of that time; null: with that of the image. */
  replaced?: { home_kept_at: Date | null } | undefined;
};

/** Records the output of a terminal. It never blocks the terminal, and never fails. */
export type TerminalRecorder = {
  /** @param bytes must not be changed afterwards */
  output(bytes: Buffer): void;
  resize(size: Size): void;
  /** Marks the moment. */
  mark(text: string): void;
  end(): void;
};

/** Counts what the input of a terminal tells. It never blocks the terminal, and never fails. */
export type TerminalObserver = {
  input(bytes: Buffer): void;
  end(): void;
};

/** The container operations that a terminal needs. */
export type TerminalContainers = {
  /** The caller's container, or one that the caller may watch. @throws NotFoundError */
  forTerminal(caller: Caller, containerId: number): Promise<TerminalContainer>;
  /** Starts a container that has stopped by itself. @throws NoSuchContainerError, UnavailableError */
  revive(ref: string): Promise<void>;
  /** The current end of the container, which an administrator may have changed. Undefined where the container no longer exists. */
  deadline(containerId: number): Promise<Date | null | undefined>;
  /** Of these containers, those in which nobody works now. */
  held(containerIds: readonly number[]): Promise<Set<number>>;
  /** Whether a caller may watch the terminals of another user's container. */
  mayWatch(caller: Caller, userId: number, containerId: number): Promise<boolean>;
  /** Records that a caller begins to watch another user's container, or what the caller does there. */
  logWatch(watcher: Caller, containerId: number, type?: WatchEvent, details?: object): Promise<void>;
  /** The names of a caller and of the user of a container, where the caller may type along in its terminals now. */
  typingAlong(caller: Caller, userId: number, containerId: number): Promise<TypingNames | undefined>;
  /** Called while a terminal is open: updates `last_used_at`, which identifies idle sandboxes, and when its owner last typed. */
  touch(containerId: number, typedAt?: Date): Promise<void>;
};
