import type { ScreenSize } from './terminal-screens.ts';

export type ScreenLimits = {
  /** Maximum bytes of pending output; older ones are skipped. */
  bufferBytes: number;
  /** Scrollback lines. */
  scrollback: number;
  /** Maximum cells of a screen and its scrollback. */
  cells: number;
  /** Maximum bytes of a picture. */
  pictureBytes: number;
};

export type SwitchedMode = readonly [number, 'h' | 'l'];

/** Output before a message that was left out. */
export type Skipped = { bytes: number; modes: readonly SwitchedMode[] };

/** The data with which a worker is created. */
export type WorkerData = {
  limits: ScreenLimits;
  /** One number: the id of the terminal in progress, or 0. It can be read when the worker does not respond. */
  current: Int32Array<SharedArrayBuffer>;
  heapBytes: number;
};

export type ToWorker =
  | { do: 'open'; id: number; size: ScreenSize; at: number }
  | { do: 'write'; id: number; bytes: Uint8Array; skipped: Skipped | undefined }
  | { do: 'resize'; id: number; size: ScreenSize }
  | { do: 'picture'; id: number; number: number }
  | { do: 'close'; id: number }
  | { do: 'ping' };

export type FromWorker =
  | { is: 'ready' }
  | { is: 'taken'; id: number; bytes: number }
  /** `at`: see `Capture`. */
  | { is: 'picture'; id: number; number: number; bytes: Uint8Array; at: number }
  /** The screen was dropped: its emulator failed, or would have exhausted the worker's memory. */
  | { is: 'dropped'; id: number; reason: string }
  | { is: 'pong'; isIdle: boolean };
