import type { ContainerEngine, HomeKeeper } from '../../ports/container-engine.ts';
import { transferError } from './failures.ts';
import type { PodLosses } from './pod-losses.ts';
import type { RunningHomes } from './running-homes.ts';

export type HomeKeeperParts = {
  engine: Pick<ContainerEngine, 'create' | 'remove'>;
  homes: RunningHomes;
  losses: PodLosses;
  /** @throws NoSuchContainerError, ContainerNotRunningError, UnavailableError */
  checkRunning: (ref: string) => Promise<void>;
};

/** Saves the homes of running containers, and replaces containers that are lost with their node. */
export function homeKeeper({ engine, homes, losses, checkRunning }: HomeKeeperParts): HomeKeeper {
  return {
    onLost: (listener) => losses.listen(listener),
    save: async (ref, mark) => {
      // A node that is lost answers no command, and the API server waits long for it.
      await checkRunning(ref);
      return await homes.save(ref, mark).catch((error: unknown) => Promise.reject(transferError(error, ref)));
    },
    replace: async (lostRef, spec) => {
      const ref = await engine.create(spec);
      try {
        return { ref, hasHome: await homes.restore(lostRef, ref) };
      } catch (error) {
        await engine.remove(ref).catch(() => undefined);
        throw transferError(error, ref);
      }
    },
    forget: (uid) => homes.forget(uid),
    saved: () => homes.saved(),
  };
}
