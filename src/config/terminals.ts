import { bytesIn } from './bytes-in.ts';
import type { EnvReader } from './env-reader.ts';
import type { Tuning } from './tuning.ts';

/** Terminals, their screens, and the transfer of files. */
export function readTerminals(env: EnvReader, tuning: Tuning) {
  env.part = 'Terminals';
  return {
    terminal: {
      perUser: tuning.maxTerminalsPerUser,
      perContainer: tuning.maxTerminalsPerContainer,
      max: env.integer('TERMINALS_MAX', 500, { min: 1, about: 'open terminals of all users; one user has at most 10' }),
      resumeSeconds: env.integer('TERMINAL_RESUME_SECONDS', 300, {
        min: 0,
        max: 86_400,
        about:
          'time that a shell of a sandbox survives a lost connection; that of an attempt lives until the attempt ends',
      }),
      holder: {
        /** Output of a shell that its container keeps for the next process of the service. */
        bytes: 256 * bytesIn.kib,
        /** Seconds that a shell continues while no process of the service serves it: a night of repairs. */
        seconds: 24 * 3600,
      },
      pingSeconds: tuning.terminalPingSeconds,
      floodBytesPerSecond: tuning.terminalFloodBytesPerSecond,
      bufferBytes: tuning.maxTerminalBufferBytes,
    },
    /** Files that users upload to their containers, or download from them. */
    transfers: {
      maxBytes: bytesIn.mib * tuning.maxTransferMb,
      seconds: tuning.transferSeconds,
      /** At once, in this process: of one user, and of all. */
      perUser: 2,
      max: 20,
    },
    /** Screens of terminals, for clients that resume or watch. */
    screens: {
      /** Lines above the screen: what other terminals keep by default. */
      scrollback: 1000,
      /** Maximum cells of the screen and its scrollback together: a wide terminal stores fewer lines. */
      cells: 250_000,
      /** Maximum bytes of the frame that restores a screen. */
      pictureBytes: 2 * bytesIn.mib,
      /** Threads, each for many terminals, plus one for terminals that caused a failure. */
      workers: 2,
      /** Heap of a thread. */
      heapMb: 256,
      /** Milliseconds of CPU time that a thread may use without an answer to a ping. */
      silence: 500,
    },
  };
}
