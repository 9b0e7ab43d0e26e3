import Docker from 'dockerode';
import type { ContainerEngine } from '../../ports/container-engine.ts';
import { AbsentEngine } from './absent-engine.ts';
import { DockerEngine, type DockerEngineOptions } from './docker-engine.ts';

export type FoundOrNot = { options: Docker.DockerOptions } | { reason: string };

/** Where the container engine is, or why there is none. */
export type EnginePlace = FoundOrNot & {
  /** Searches again for an engine that was not available. */
  find?: () => Promise<FoundOrNot>;
};

/** Connects to the engine, or creates the placeholder that searches for one. */
export function connectEngine(place: EnginePlace, options: Omit<DockerEngineOptions, 'docker'>): ContainerEngine {
  const engineAt = (found: FoundOrNot) =>
    'reason' in found ? found : new DockerEngine({ docker: new Docker(found.options), ...options });
  const first = engineAt(place);
  if (!('reason' in first)) return first;
  const { find } = place;
  return new AbsentEngine({ reason: first.reason, find: find && (async () => engineAt(await find())) });
}
