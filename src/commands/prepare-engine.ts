import { type SetUpEngine, setUpEngine } from '../adapters/docker/engine-setup.ts';
import { setUpPrograms } from '../adapters/docker/packages.ts';
import type { Config } from '../config.ts';
import { buildProgress, orStop, toOutput as report, secondsSince } from './steps.ts';

/** Git, the engine and its images. @throws the reason of `stop` if that aborts first */
export async function prepareContainers(
  config: Config,
  install: boolean,
  stop: AbortSignal,
): Promise<SetUpEngine | { reason: string }> {
  await orStop(stop, prepareGit(install));
  if (config.engine.kind === 'kubernetes') {
    await orStop(stop, prepareCluster(config));
    return { reason: 'the containers are on Kubernetes' };
  }
  const engine = await orStop(stop, prepareEngine(config, install));
  if ('options' in engine) await orStop(stop, prepareImages(engine, install));
  return engine;
}

/** Lessons are read with git, over SSH where the repository's URL requires it. */
export async function prepareGit(install: boolean): Promise<void> {
  const programs = { git: 'git', ssh: 'openssh-client' };
  const problem = await setUpPrograms({ programs, install, progress: (line) => report('programs', line) });
  if (problem) report('programs', `${problem}; lessons may be unavailable without it`);
}

/** Without an engine, the service still serves everything else. */
export async function prepareEngine(config: Config, install: boolean): Promise<SetUpEngine | { reason: string }> {
  const progress = (line: string) => report('engine', line);
  const engine = await setUpEngine({ ...config.engine, install, dataDir: config.dataDir, progress });
  if ('options' in engine) report('engine', engine.description);
  else report('engine', `NONE, so containers, exams and laboratories are unavailable: ${engine.reason}`);
  return engine;
}

/** Reports the cluster and what the service lacks in it. Without one that answers, the service still serves everything else. */
export async function prepareCluster({ kubernetes }: Config): Promise<void> {
  const { openCluster } = await import('../adapters/kubernetes/cluster.ts');
  const { clusterFacts } = await import('../adapters/kubernetes/requirements.ts');
  using cluster = await openCluster(kubernetes);
  try {
    const { description, missing } = await clusterFacts(cluster);
    report('engine', description);
    for (const thing of missing) report('engine', `the service lacks ${thing}`);
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error);
    report('engine', `the cluster at ${cluster.server} cannot be used yet: ${reason}`);
  }
}

export async function prepareImages({ options }: SetUpEngine, install: boolean): Promise<void> {
  const begin = performance.now();
  try {
    const { basesOf, ensureImages } = await import('../../images/build.ts');
    const { default: Docker } = await import('dockerode');
    const docker = new Docker(options);
    const progress = buildProgress((line) => report('images', line));
    const { built, present } = await ensureImages({ docker, install, progress });
    const result = built.length > 0 ? `built ${built.join(', ')} in ${secondsSince(begin)}` : `${present.length} there`;
    report('images', [result, ...(await basesOf(docker)).map((base) => `on ${base}`)].join(', '));
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error);
    report('images', `NOT BUILT, so some containers are unavailable (try again: npm run images): ${reason}`);
  }
}
