import { ScreenPool } from '../../packages/screens/screen-pool.ts';
import { keyedHash } from '../database/keyed-hash.ts';
import { DiskGuard } from '../features/capacity/disk-guard.ts';
import { DiskStore } from '../features/capacity/disk-store.ts';
import { RecordingFiles } from '../features/recordings/recording-files.ts';
import { RecordingService } from '../features/recordings/service.ts';
import { RecordingStore } from '../features/recordings/store.ts';
import { sweepRecordings } from '../features/recordings/sweep.ts';
import { SignalService } from '../features/signals/service.ts';
import { SignalStore } from '../features/signals/store.ts';
import { HeldStore } from '../features/terminal/held/store.ts';
import { RelayPasses } from '../features/terminal/relays/passes.ts';
import { createPeerTerminals } from '../features/terminal/relays/peer-terminals.ts';
import { TerminalService } from '../features/terminal/service.ts';
import { FileTransfers } from '../features/terminal/transfers/service.ts';
import { TransferStore } from '../features/terminal/transfers/store.ts';
import type { AccountParts } from './accounts.ts';
import type { ContainerParts } from './containers.ts';
import type { DatabaseParts } from './database.ts';
import type { Surroundings } from './parts.ts';

/** Terminals, their screens and recordings, and the disk guard, which sends its warnings to them. */
export function composeTerminals(
  { config, overrides, log, cleanup, objects }: Surroundings,
  { db, peers, presence }: DatabaseParts,
  { secretKey, auth }: AccountParts,
  { shell, engine, containers }: ContainerParts,
  /** The address at which other processes reach this one. Called only once it listens. */
  processUrl: () => string | undefined,
) {
  const recordingParts = {
    store: new RecordingStore(db),
    files: new RecordingFiles(objects),
  };
  const recordings = cleanup.use(new RecordingService({ ...recordingParts, log, config: config.recordings }));
  const screens = cleanup.use(overrides.screens ?? new ScreenPool({ ...config.terminal, ...config.screens, log }));
  const signalStore = new SignalStore(db, keyedHash(secretKey));
  const signals = cleanup.use(new SignalService({ store: signalStore, log }));
  const passes = new RelayPasses(secretKey);
  const terminals = new TerminalService({
    shell,
    screens,
    containers,
    passes,
    peers: createPeerTerminals(peers, passes, processUrl),
    held: { store: new HeldStore(db, presence.processId), gone: () => presence.goneOfTerminals() },
    record: (attemptId, size) => recordings.record(attemptId, size),
    observe: (attemptId) => signals.observe(attemptId),
    seenFrom: (attemptId, network) => signals.seenFrom(attemptId, network),
    sessions: auth,
    options: config.terminal,
    log,
  });
  const transfers = new FileTransfers({
    ...{ shell, containers, limits: config.transfers },
    store: new TransferStore(db),
  });
  const diskGuard = new DiskGuard({
    engine,
    store: new DiskStore(db),
    limits: { bytes: config.containers.diskMb * 1024 * 1024, files: config.containers.files },
    warn: (containerId) => {
      terminals.warnOfDisk(containerId);
      peers.publish('disk', `${containerId}`);
    },
    log,
  });
  peers.subscribe('disk', (text) => terminals.warnOfDisk(Number(text)));
  const sweep = async () => ({
    ...(await sweepRecordings({ ...recordingParts, days: config.recordings.days })),
    signals: await signalStore.deleteOlderThan(config.recordings.days),
  });
  return { recordings, signals, terminals, transfers, diskGuard, sweep };
}

export type TerminalParts = ReturnType<typeof composeTerminals>;
