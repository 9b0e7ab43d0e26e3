import type { ContainerStatus } from '../../database/tables.ts';
import type { Caller } from '../../http/access.ts';

export type TerminalContainer = {
  id: number;
  ref: string;
  status: ContainerStatus;
  user_id: number;
  expires_at: Date | null;
};

/** What a terminal asks of containers. */
export type TerminalContainers = {
  /** The caller's container, or one that the caller may watch. @throws NotFound */
  forTerminal(caller: Caller, containerId: number): Promise<TerminalContainer>;
  /** When the container ends, as an administrator may have changed it; undefined where it is gone. */
  deadline(containerId: number): Promise<Date | null | undefined>;
  /** Records who begins to watch somebody else's container. */
  logWatch(watcher: Caller, containerId: number): Promise<void>;
  /** A terminal is open: moves `last_used_at`, so that idle sandboxes are told apart. */
  touch(containerId: number): Promise<void>;
};
