import { sign } from 'node:crypto';
import { shippedImages } from '../../images/definitions.ts';
import { SshShell } from '../../packages/ssh/ssh-shell.ts';
import { tarEnd, tarHeader, tarPadding } from '../../packages/ssh/tar.ts';
import { runAlone } from '../database/processes/alone.ts';
import { TextSeal } from '../database/sealed-text.ts';
import { publicKeyText, signingKey } from '../database/signing-key.ts';
import { ContainerSetup } from '../features/capacity/container-setup.ts';
import { newCreations } from '../features/capacity/creations.ts';
import { HoldStore } from '../features/capacity/hold-store.ts';
import { ContainerHolds } from '../features/capacity/holds.ts';
import { HomeSaveStore } from '../features/capacity/home-save-store.ts';
import { HomeSaves } from '../features/capacity/home-saves.ts';
import { InstallationStore } from '../features/capacity/installation-store.ts';
import { LostContainers } from '../features/capacity/lost-containers.ts';
import { LostStore } from '../features/capacity/lost-store.ts';
import { Provisioner } from '../features/capacity/provisioner.ts';
import { ContainerRemovals } from '../features/capacity/removals.ts';
import { ReservationStore } from '../features/capacity/reservation-store.ts';
import { SetupStore } from '../features/capacity/setup-store.ts';
import { ShellPool } from '../features/capacity/shell-pool.ts';
import { ContainerStore } from '../features/capacity/store.ts';
import { TemplateStore } from '../features/capacity/template-store.ts';
import { WarmPool } from '../features/capacity/warm-pool.ts';
import { WarmStore } from '../features/capacity/warm-store.ts';
import { ContainerAdminService } from '../features/containers/container-admin-service.ts';
import { ContainerAdminStore } from '../features/containers/container-admin-store.ts';
import { ContainerService } from '../features/containers/service.ts';
import { WatchStore } from '../features/containers/watch-store.ts';
import type { GrantStore } from '../features/course-staff/grant-store.ts';
import { EvidenceKeeper } from '../features/evidence/keeper.ts';
import { EvidenceStore } from '../features/evidence/store.ts';
import { ImageService } from '../features/images/service.ts';
import { ImageStore } from '../features/images/store.ts';
import { RecordingFiles } from '../features/recordings/recording-files.ts';
import type { AccountParts } from './accounts.ts';
import type { DatabaseParts } from './database.ts';
import { openEngine } from './engine.ts';
import type { Surroundings } from './parts.ts';

/** The container engine and its containers. */
export async function composeContainers(
  { config, overrides, log, cleanup, objects }: Surroundings,
  { db, pool, presence, peers, work }: DatabaseParts,
  { secretKey }: Pick<AccountParts, 'secretKey'>,
  grants: GrantStore,
) {
  const store = new ContainerStore(db);
  const reservations = new ReservationStore(db, presence.processId, config.containers);
  const warm = new WarmStore(db, presence.processId, config.containers);
  const installation = new InstallationStore(db);
  const imageStore = new ImageStore(db);
  const pinned = (name: string) => imageStore.pinned(name);
  const engine = cleanup.use(
    overrides.containerEngine ?? (await openEngine(config, overrides.engine, await installation.id(), objects, pinned)),
  );
  const images = cleanup.use(
    new ImageService({
      ...{ store: imageStore, engine, log, seal: new TextSeal(secretKey) },
      shipped: shippedImages,
      grants: (courseId) => grants.of(courseId),
      alone: (pulling) => runAlone(pool, 'images', pulling),
    }),
  );
  const shell = new SshShell({ engine, timeout: config.engine.sshTimeout });
  const shells = cleanup.use(new ShellPool(shell));
  const key = signingKey(secretKey);
  const evidence = new EvidenceKeeper({
    ...{ engine, objects, log, config: config.evidence },
    store: new EvidenceStore(db, presence.processId),
    recordings: new RecordingFiles(objects),
    tar: { header: tarHeader, padding: tarPadding, end: tarEnd },
    signer: { publicKey: publicKeyText(key), sign: (bytes) => sign(null, bytes, key).toString('base64') },
  });
  const keep = (container: Parameters<EvidenceKeeper['keep']>[0]) => evidence.keep(container);
  const removals = cleanup.use(new ContainerRemovals({ engine, store, shells, keep, config, log }));
  const setup = new ContainerSetup({ shells, seconds: config.containers.setupSeconds, log });
  const provisioner = new Provisioner({
    ...{ engine, store, reservations, warm, removals, shells, config, log },
    ...{ setups: new SetupStore(db), setup },
  });
  const lost = cleanup.use(
    new LostContainers({
      ...{ engine, provisioner, shells, log, stopTimeout: config.stopTimeout },
      store: new LostStore(db, presence.processId),
      onMoved: (attempt) => work.scheduleEnd(attempt),
    }),
  );
  const homeSaves =
    engine.homes && new HomeSaves({ ...config.homeSaves, homes: engine.homes, store: new HomeSaveStore(db), log });
  const warmPool = cleanup.use(
    new WarmPool({
      ...{ store: warm, provisioner, removals, engine, config: config.containers, log },
      living: () => presence.living(),
    }),
  );
  const creations = newCreations();
  const holdStore = new HoldStore(db);
  const holds = new ContainerHolds({ engine, store: holdStore, containers: store, peers, log });
  const containers = new ContainerService({
    ...{ engine, store, reservations, installation, provisioner, removals, creations, lost },
    config: config.containers,
    templates: new TemplateStore(db),
    watches: new WatchStore(db),
    holdStore,
  });
  const containerAdmin = new ContainerAdminService({ store: new ContainerAdminStore(db), removals });
  return {
    containerStore: store,
    reservations,
    installation,
    engine,
    images,
    shell,
    shells,
    provisioner,
    removals,
    evidence,
    creations,
    lost,
    homeSaves,
    warmPool,
    holds,
    containers,
    containerAdmin,
  };
}

export type ContainerParts = Awaited<ReturnType<typeof composeContainers>>;
