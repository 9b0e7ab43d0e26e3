import { bytesIn } from './bytes-in.ts';
import type { EnvReader } from './env-reader.ts';

/** Terminals, their screens, and the transfer of files. */
export function readTerminals(env: EnvReader) {
  return {
    terminal: {
      perUser: env.integer('TERMINALS_PER_USER', 10, { min: 1, max: 1000 }),
      perContainer: env.integer('TERMINALS_PER_CONTAINER', 4, { min: 1, max: 1000 }),
      max: env.integer('TERMINALS_MAX', 500, { min: 1 }),
      resumeSeconds: env.integer('TERMINAL_RESUME_SECONDS', 300, { min: 0, max: 86_400 }),
      holder: {
        /** Output of a shell that its container keeps for the next process of the service. */
        bytes: bytesIn.kib * env.integer('TERMINAL_HELD_KB', 256, { min: 64, max: 16_384 }),
        /** Seconds that a shell continues while no process of the service serves it. */
        seconds: 3600 * env.integer('TERMINAL_HELD_HOURS', 24, { min: 1, max: 720 }),
      },
      pingSeconds: env.integer('TERMINAL_PING_SECONDS', 25, { min: 1, max: 600 }),
      /** Bytes per second shared by all output floods if there are several; those without a client share an eighth. */
      floodBytesPerSecond: env.integer('TERMINAL_FLOOD_BYTES', 2 * bytesIn.mib, { min: 64 * bytesIn.kib }),
      /** Bytes buffered for a slow client before the shell's output is paused. */
      bufferBytes: env.integer('TERMINAL_BUFFER_BYTES', bytesIn.mib, { min: 16 * bytesIn.kib, max: 64 * bytesIn.mib }),
    },
    /** Files that users upload to their containers, or download from them. */
    transfers: {
      maxBytes: bytesIn.mib * env.integer('TRANSFER_MAX_MB', 10, { min: 1, max: 1024 }),
      seconds: env.integer('TRANSFER_SECONDS', 120, { min: 5, max: 3600 }),
      /** At once, in this process: of one user, and of all. */
      perUser: env.integer('TRANSFERS_PER_USER', 2, { min: 1, max: 100 }),
      max: env.integer('TRANSFERS_MAX', 20, { min: 1, max: 1000 }),
    },
    /** Screens of terminals, for clients that resume or watch. */
    screens: {
      /** Scrollback lines. */
      scrollback: env.integer('TERMINAL_SCROLLBACK_LINES', 1000, { min: 0, max: 100_000 }),
      /** Maximum cells of the screen and its scrollback together: a wide terminal stores fewer lines. */
      cells: env.integer('TERMINAL_SCREEN_CELLS', 250_000, { min: 1000, max: 50_000_000 }),
      /** Maximum bytes of the frame that restores a screen. */
      pictureBytes: env.integer('TERMINAL_PICTURE_BYTES', 2 * bytesIn.mib, {
        min: 64 * bytesIn.kib,
        max: 64 * bytesIn.mib,
      }),
      /** Threads, each for many terminals, plus one for terminals that caused a failure. */
      workers: env.integer('SCREEN_WORKERS', 2, { min: 1, max: 64 }),
      /** Heap of a thread. */
      heapMb: env.integer('SCREEN_WORKER_HEAP_MB', 256, { min: 32, max: 4096 }),
      /** Milliseconds of CPU time that a thread may use without an answer to a ping. */
      silence: env.integer('SCREEN_WORKER_SILENCE_MS', 500, { min: 50, max: 60_000 }),
    },
  };
}
