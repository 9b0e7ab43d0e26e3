import { SshShell } from '../../packages/ssh/ssh-shell.ts';
import type { FoundOrNot } from '../../src/adapters/docker/connect-engine.ts';
import { openEngine } from '../../src/compose/engine.ts';
import { createObjectStore } from '../../src/compose/storage.ts';
import { createLog } from '../../src/compose.ts';
import type { Config } from '../../src/config.ts';
import type { Database } from '../../src/database/connection/connect.ts';
import { ContainerSetup } from '../../src/features/capacity/container-setup.ts';
import { InstallationStore } from '../../src/features/capacity/installation-store.ts';
import { Provisioner } from '../../src/features/capacity/provisioner.ts';
import { ContainerRemovals } from '../../src/features/capacity/removals.ts';
import { ReservationStore } from '../../src/features/capacity/reservation-store.ts';
import { SetupStore } from '../../src/features/capacity/setup-store.ts';
import { ShellPool } from '../../src/features/capacity/shell-pool.ts';
import { ContainerStore } from '../../src/features/capacity/store.ts';
import { WarmStore } from '../../src/features/capacity/warm-store.ts';
import { Grader } from '../../src/features/grading/grader.ts';
import { opponents } from '../../src/features/trials/opponent-program.ts';
import { TrialService } from '../../src/features/trials/service.ts';
import { TrialStore } from '../../src/features/trials/store.ts';

/** Trials without the service: what they need of it, on a database and an engine. */
export async function openTrials(
  db: Database,
  config: Config,
  found: FoundOrNot,
): Promise<AsyncDisposable & { trials: TrialService }> {
  await using opening = new AsyncDisposableStack();
  const log = createLog(config);
  const reservations = new ReservationStore(db, null, config.containers);
  const warm = new WarmStore(db, null, config.containers);
  const installation = await new InstallationStore(db).id();
  const engine = opening.use(await openEngine(config, found, installation, createObjectStore(config, log)));
  const shell = new SshShell({ engine, timeout: config.engine.sshTimeout });
  const shells = opening.use(new ShellPool(shell));
  const store = new ContainerStore(db);
  const removals = opening.use(new ContainerRemovals({ engine, store, shells, keep: async () => true, config, log }));
  const setup = new ContainerSetup({ shells, seconds: config.containers.setupSeconds, log });
  const provisioner = new Provisioner({
    ...{ engine, store, reservations, warm, removals, shells, config, log },
    ...{ setups: new SetupStore(db), setup },
  });
  const grader = new Grader({ shells, ...config.grading });
  const trials = opening.use(
    new TrialService({
      ...{
        store: new TrialStore(db, async () => {}),
        reservations,
        provisioner,
        removals,
        shell,
        grader,
        engine,
        log,
        opponents,
      },
      ...{ config: config.trials, onPublish: async () => {} },
    }),
  );
  const held = opening.move();
  return { trials, [Symbol.asyncDispose]: () => held.disposeAsync() };
}
