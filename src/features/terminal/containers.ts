import type { ContainerStatus, StopReason } from '../../database/tables.ts';
import type { Caller } from '../../http/access.ts';
import type { Size } from './protocol.ts';

export type TerminalContainer = {
  id: number;
  ref: string;
  status: ContainerStatus;
  user_id: number;
  expires_at: Date | null;
  /** An attempt's container lives as long as its attempt: one that has stopped is started again. */
  is_of_attempt?: boolean;
  /** It has filled its disk and was stopped for good. */
  is_full?: boolean;
  /** Why it was stopped, where that was not its user. */
  stop_reason?: StopReason | null;
  /** Of an exam's container: its attempt, whose terminals are recorded. */
  exam_attempt_id?: number | null;
};

/** Keeps what a terminal shows. It never holds up the terminal, and never fails. */
export type TerminalRecorder = {
  /** @param bytes nobody changes them afterwards */
  output(bytes: Buffer): void;
  resize(size: Size): void;
  end(): void;
};

/** What a terminal asks of containers. */
export type TerminalContainers = {
  /** The caller's container, or one that the caller may watch. @throws NotFound */
  forTerminal(caller: Caller, containerId: number): Promise<TerminalContainer>;
  /** Starts what has stopped by itself. @throws NoSuchContainer, Unavailable */
  revive(ref: string): Promise<void>;
  /** When the container ends, as an administrator may have changed it; undefined where it is gone. */
  deadline(containerId: number): Promise<Date | null | undefined>;
  /** Records who begins to watch somebody else's container. */
  logWatch(watcher: Caller, containerId: number): Promise<void>;
  /** A terminal is open: moves `last_used_at`, so that idle sandboxes are told apart. */
  touch(containerId: number): Promise<void>;
};
