import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { type EngineSearch, type FoundEngine, findEngine } from './find-engine.ts';
import { type Machine, thisMachine } from './machine.ts';
import { installPackages, lastLines, whyNotInstall } from './packages.ts';

export type EngineSetup = EngineSearch & {
  /** Whether a missing engine may be installed. An installed one is started in any case. */
  install: boolean;
  /** Called before each step. */
  progress: (line: string) => void;
  /** Folder for the log of an engine that we start. */
  dataDir: string;
  machine?: Machine;
  /** Milliseconds for an engine to answer after its start. */
  startTimeout?: number;
};

export type SetUpEngine = FoundEngine & {
  /** The process of an engine that was started now. It survives the service. */
  startedPid: number | undefined;
};

const packages = ['docker.io', 'mmdebstrap'];
const pidFile = '/var/run/docker.pid';
const initScript = '/etc/init.d/docker';

/**
 * Finds a container engine. Starts one that is installed but not running. As root on Debian or Ubuntu, installs one.
 * @returns the engine, or one sentence with the reason and the remedy
 */
export async function setUpEngine(setup: EngineSetup): Promise<SetUpEngine | { reason: string }> {
  const { machine = thisMachine, progress } = setup;
  const found = await findEngine(setup);
  if ('options' in found) return { ...found, startedPid: undefined };
  if (setup.dockerHost !== undefined) return { reason: `DOCKER_HOST is set, but no engine answers: ${found.reason}` };
  if (machine.platform !== 'linux') return { reason: `${found.reason}; start Docker Desktop or Podman` };

  const isInstalled = await hasDocker(machine);
  if (!machine.isRoot) return { reason: `${found.reason}; ${isInstalled ? adviceToStart : adviceToInstall}` };
  if (!isInstalled) {
    const obstacle = await whyNotInstall(setup.install, machine);
    if (obstacle) return { reason: `${found.reason}; ${obstacle}: install Docker Engine or Podman, and start it` };
    progress(
      `no container engine: installing Docker Engine (apt-get install ${packages.join(' ')}); --no-install forbids it`,
    );
    const failure = await installPackages(machine, packages, progress);
    if (failure) return { reason: `Docker Engine could not be installed: ${failure}` };
  }
  return await startDocker(setup, machine);
}

const adviceToStart = 'Docker Engine is installed but not running: start it as root (systemctl start docker)';
const adviceToInstall =
  'install one as root (apt-get install docker.io, then usermod -aG docker USER and log in again), or Podman and its socket';

async function startDocker(setup: EngineSetup, machine: Machine): Promise<SetUpEngine | { reason: string }> {
  const { progress, startTimeout = 60_000 } = setup;
  // The installation may have started it, so it can answer now.
  if (await machine.exists(pidFile)) {
    const started = await waitForEngine(setup, Date.now() + 5_000, () => false);
    if ('options' in started) return started;
  }
  const hasSystemd = await machine.exists('/run/systemd/system');
  const ways: [string, string[]][] = [];
  if (hasSystemd) ways.push(['systemctl', ['start', 'docker']]);
  else if (await machine.exists(initScript)) ways.push(['service', ['docker', 'start']]);
  for (const [program, args] of ways) {
    progress(`starting Docker Engine (${program} ${args.join(' ')})`);
    if ((await machine.run(program, args)).code !== 0) continue;
    const started = await waitForEngine(setup, Date.now() + Math.min(startTimeout, 20_000), () => false);
    if ('options' in started) return { ...started, startedPid: await readPid(machine) };
  }

  const logPath = join(setup.dataDir, 'dockerd.log');
  progress(`starting Docker Engine (dockerd, its log is ${logPath})`);
  const before = (await machine.read(logPath)).length;
  const daemon = await machine.startDaemon('dockerd', [], logPath);
  const deadline = Date.now() + startTimeout;
  const started = await waitForEngine(setup, deadline, daemon.hasEnded);
  if ('options' in started) return { ...started, startedPid: daemon.pid };
  const said = (await machine.read(logPath)).slice(before);
  if (/ensure docker is not running/i.test(said)) {
    // Another process was faster.
    const others = await waitForEngine(setup, deadline, () => false);
    if ('options' in others) return others;
  }
  return {
    reason: `Docker Engine was started and ${daemon.hasEnded() ? 'ended' : 'does not answer'}: ${lastLines(said)}`,
  };
}

async function waitForEngine(
  setup: EngineSetup,
  deadline: number,
  hasEnded: () => boolean,
): Promise<SetUpEngine | { reason: string }> {
  for (;;) {
    const ended = hasEnded();
    const found = await findEngine(setup);
    if ('options' in found) return { ...found, startedPid: undefined };
    if (ended || Date.now() > deadline) return found;
    await delay(150);
  }
}

const hasDocker = async (machine: Machine): Promise<boolean> =>
  (await machine.exists('/usr/sbin/dockerd')) || (await machine.exists('/usr/bin/dockerd'));

async function readPid(machine: Machine): Promise<number | undefined> {
  const pid = Number.parseInt(await machine.read(pidFile), 10);
  return pid > 0 ? pid : undefined;
}
