/**
 * Stops an operation permanently at a named place in a service process of a test: before or after one of the calls that write to the
 * database or talk to the engine. The calls are wrapped from outside, so the service itself is unchanged.
 */
import { AsyncLocalStorage } from 'node:async_hooks';
import Docker from 'dockerode';
import { DockerEngine } from '../../src/adapters/docker/docker-engine.ts';
import { KubernetesEngine } from '../../src/adapters/kubernetes/kubernetes-engine.ts';
import { Pods } from '../../src/adapters/kubernetes/pods.ts';
import { StoppedContainers } from '../../src/adapters/kubernetes/stopped-containers.ts';
import { ResultStore } from '../../src/features/attempts/gradings/result-store.ts';
import { GradingStore } from '../../src/features/attempts/gradings/store.ts';
import { AttemptMachine } from '../../src/features/attempts/machine.ts';
import { ReopenStore } from '../../src/features/attempts/reopening/store.ts';
import { StartStore } from '../../src/features/attempts/starts/store.ts';
import { LostStore } from '../../src/features/capacity/lost-store.ts';
import { ReservationStore } from '../../src/features/capacity/reservation-store.ts';
import { ContainerStore } from '../../src/features/capacity/store.ts';
import { WarmStore } from '../../src/features/capacity/warm-store.ts';
import { EvidenceStore } from '../../src/features/evidence/store.ts';
import { RegradeStore } from '../../src/features/regrades/store.ts';
import { isOnCluster } from '../cluster.ts';

type Stop = { operation: string; place: string; calls: Map<string, number> };
// biome-ignore lint/suspicious/noExplicitAny: methods of any signature are wrapped
type Methods = Record<string, (...args: any[]) => Promise<unknown>>;

const owners: Record<string, { prototype: object }> = {
  StartStore,
  GradingStore,
  ResultStore,
  ContainerStore,
  ReservationStore,
  WarmStore,
  LostStore,
  EvidenceStore,
  ReopenStore,
  RegradeStore,
  Pods,
  StoppedContainers,
  ContainerEngine: isOnCluster ? KubernetesEngine : DockerEngine,
  // Within DockerEngine.create: created on the engine, not yet started.
  EngineContainer: Docker.Container,
};
const stops = new AsyncLocalStorage<Stop>();
const expiries = new Map<number, Stop>();
const counts = new Map<string, number>();
let everywhere: Stop | undefined;

const newStop = (operation: string, place: string): Stop => ({ operation, place, calls: new Map() });

/** Runs work that stops at a place, such as `after StartStore.reserve`, or at the second call with `before ResultStore.saveResult 2`. */
export const stopWithin = (operation: string, place: string, work: () => void): void =>
  stops.run(newStop(operation, place), work);

/** Stops the expiry of an attempt at a place. */
export const stopExpiry = (attemptId: number, operation: string, place: string): void =>
  void expiries.set(attemptId, newStop(operation, place));

/** Stops the next operation that reaches the place. */
export function stopAnybody(operation: string, place: string): void {
  everywhere = newStop(operation, place);
}

/** The number of calls of a method in this process. */
export const callsOf = (method: string): number => counts.get(method) ?? 0;

/** @param onStop called for each operation that has stopped at its place */
export function installStops(methods: ReadonlySet<string>, onStop: (operation: string) => void): void {
  const pass = async (place: string): Promise<void> => {
    const stop = stops.getStore()?.place === undefined ? everywhere : stops.getStore();
    if (!stop) return;
    const call = (stop.calls.get(place) ?? 0) + 1;
    stop.calls.set(place, call);
    if ((call === 1 ? place : `${place} ${call}`) !== stop.place) return;
    onStop(stop.operation);
    await new Promise(() => {});
  };
  for (const name of methods) {
    const [owner = '', method = ''] = name.split('.');
    const prototype = owners[owner]?.prototype as Methods | undefined;
    const original = prototype?.[method];
    if (!prototype || !original) throw new Error(`There is no ${name}`);
    prototype[method] = async function wrapped(...args) {
      counts.set(name, callsOf(name) + 1);
      await pass(`before ${name}`);
      const result = await original.apply(this, args);
      await pass(`after ${name}`);
      return result;
    };
  }
  const { expire } = AttemptMachine.prototype;
  AttemptMachine.prototype.expire = async function wrapped(attemptId) {
    const stop = expiries.get(attemptId);
    return await (stop ? stops.run(stop, () => expire.call(this, attemptId)) : expire.call(this, attemptId));
  };
}
