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
  /** A terminal is open: moves `last_used_at`, so that idle sandboxes are told apart. */
  touch(containerId: number): Promise<void>;
};
