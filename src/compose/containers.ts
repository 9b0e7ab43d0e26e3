import { connectEngine } from '../adapters/docker/connect-engine.ts';
import { SshShell } from '../adapters/ssh/ssh-shell.ts';
import { ContainerAdminService } from '../features/containers/container-admin-service.ts';
import { ContainerAdminStore } from '../features/containers/container-admin-store.ts';
import { Provisioner } from '../features/containers/provisioner.ts';
import { ContainerService } from '../features/containers/service.ts';
import { ShellPool } from '../features/containers/shell-pool.ts';
import { ContainerStore } from '../features/containers/store.ts';
import { TemplateAdminService } from '../features/containers/template-admin-service.ts';
import { TemplateAdminStore } from '../features/containers/template-admin-store.ts';
import { WarmPool } from '../features/containers/warm-pool.ts';
import type { DatabaseParts } from './database.ts';
import type { Surroundings } from './parts.ts';

/** The container engine and the containers on it. */
export async function composeContainers(
  { config, overrides, log, cleanup }: Surroundings,
  { db, presence }: DatabaseParts,
) {
  const store = new ContainerStore(db, presence.processId, config.containers);
  const installation = await store.installationId();
  const engine = cleanup.use(
    overrides.containerEngine ?? connectEngine(overrides.engine, { installation, ...config.engine }),
  );
  const shell = new SshShell({ engine });
  const shells = cleanup.use(new ShellPool(shell));
  const provisioner = cleanup.use(new Provisioner({ engine, store, shells, config, log }));
  const warmPool = cleanup.use(
    new WarmPool({
      ...{ store, provisioner, engine, config: config.containers, log },
      living: () => presence.living(),
    }),
  );
  const containers = new ContainerService({ engine, store, provisioner, config: config.containers });
  const containerAdmin = new ContainerAdminService({ store: new ContainerAdminStore(db), provisioner });
  const templates = new TemplateAdminService(new TemplateAdminStore(db, config.catalogue));
  return { containerStore: store, engine, shell, shells, provisioner, warmPool, containers, containerAdmin, templates };
}

export type ContainerParts = Awaited<ReturnType<typeof composeContainers>>;
