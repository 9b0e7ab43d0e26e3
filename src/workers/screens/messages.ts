import type { ScreenSize } from '../../features/terminal/terminal-screens.ts';

export type ScreenLimits = {
  /** Bytes that may wait to be drawn; older ones are skipped. */
  bufferBytes: number;
  /** Lines kept above the screen. */
  scrollback: number;
  /** Cells of a screen and the lines above it together. */
  cells: number;
  /** Bytes of the picture of a screen. */
  pictureBytes: number;
};

export type SwitchedMode = readonly [number, 'h' | 'l'];

/** What a worker is created with. */
export type WorkerData = {
  limits: ScreenLimits;
  /** One number: the id of the terminal that is being worked on, or 0. It can be read when the worker cannot be asked. */
  current: Int32Array<SharedArrayBuffer>;
  heapBytes: number;
};

export type ToWorker =
  | { do: 'open'; id: number; size: ScreenSize }
  | { do: 'write'; id: number; bytes: Uint8Array; skipped: readonly SwitchedMode[] | undefined }
  | { do: 'resize'; id: number; size: ScreenSize }
  | { do: 'picture'; id: number; number: number }
  | { do: 'close'; id: number }
  | { do: 'ping' };

export type FromWorker =
  | { is: 'ready' }
  | { is: 'taken'; id: number; bytes: number }
  | { is: 'picture'; id: number; number: number; bytes: Uint8Array }
  /** It was dropped: its emulator failed, or would have filled the worker's memory. */
  | { is: 'dropped'; id: number; reason: string }
  | { is: 'pong'; isIdle: boolean };
