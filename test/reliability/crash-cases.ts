import { isOnCluster } from '../cluster.ts';

export type Flow =
  | 'start'
  | 'queue'
  | 'submit'
  | 'expire'
  | 'abandon'
  | 'check'
  | 'create'
  | 'delete'
  | 'stop'
  | 'resume'
  | 'lose';

/**
 * An operation that a crash interrupts at a place, and its expected outcome after the recovery. `isBehind`: the background work of the
 * operation is interrupted.
 */
export type CrashCase = { name: string; flow: Flow; place: string; outcome: string; isBehind?: boolean };

/** Within ContainerEngine.create: created on the engine, and not running yet. */
const created = isOnCluster ? 'after Pods.create' : 'before EngineContainer.start';

const casesOf = (flow: Flow, outcomes: Record<string, string[]>): CrashCase[] =>
  Object.entries(outcomes).flatMap(([outcome, places]) =>
    places.map((place) => ({ name: `${flow}, ${place}`, flow, place, outcome })),
  );

/** Every write to the database and every call of the engine, in order. Before its first write an operation has no effect. */
export const coldCases: CrashCase[] = [
  ...casesOf('start', {
    gone: ['after StartStore.reserve', created, 'after ContainerEngine.create', 'after ContainerStore.setMade'],
    in_progress: ['after StartStore.begin'],
  }),
  // An attempt that is queued has its place from then on, and starts in the next process.
  ...casesOf('queue', {
    gone: ['before StartStore.reserve'],
    in_progress: [
      'after StartStore.reserve',
      created,
      'after ContainerEngine.create',
      'after ContainerStore.setMade',
      'after StartStore.begin',
    ],
  }),
  ...casesOf('submit', {
    in_progress: ['after GradingStore.beginGrading', 'before ResultStore.saveResult 2', 'before GradingStore.finish'],
    finished: [
      'after GradingStore.finish',
      'after ContainerStore.setRemoving',
      'after EvidenceStore.claim',
      'before EvidenceStore.finish',
      'after EvidenceStore.finish',
      'after ContainerEngine.remove',
      'after ContainerStore.forget',
    ],
  }),
  ...casesOf('expire', {
    expired: [
      'after GradingStore.beginGrading',
      'before ResultStore.saveResult 2',
      'before GradingStore.finish',
      'after GradingStore.finish',
      'after ContainerStore.setRemoving',
      'after ContainerEngine.remove',
    ],
  }),
  ...casesOf('abandon', {
    in_progress: ['before GradingStore.abandon'],
    abandoned: ['after GradingStore.abandon', 'after ContainerStore.setRemoving', 'after ContainerEngine.remove'],
  }),
  ...casesOf('check', { in_progress: ['before ResultStore.saveResult 2', 'before GradingStore.endCheck'] }),
  ...casesOf('create', {
    gone: ['after ReservationStore.reserveSandbox', created, 'after ContainerEngine.create'],
    running: ['after ContainerStore.setMade'],
  }),
  ...casesOf('delete', {
    running: ['before ContainerStore.setRemoving'],
    gone: [
      'after ContainerStore.setRemoving',
      'after ContainerEngine.rename',
      'after ContainerEngine.remove',
      'after ContainerStore.forget',
    ],
  }),
  ...casesOf('stop', { stopped: ['after ContainerEngine.stop'] }),
  ...casesOf('resume', { running: ['after ContainerEngine.start'] }),
];

export const warmCases: CrashCase[] = casesOf('start', {
  gone: ['after StartStore.reserve', 'after ContainerEngine.rename'],
  in_progress: ['after StartStore.begin'],
});

export const warmQueueCases: CrashCase[] = casesOf('queue', {
  in_progress: ['after StartStore.reserve', 'after ContainerEngine.rename', 'after StartStore.begin'],
});

/** Each process refills the pool in the background, one container at a time. So each crash has one place. */
export const refillCases: CrashCase[][] = [
  'after ContainerEngine.create',
  'after WarmStore.reserveWarm',
  created,
  'after ContainerStore.setMade',
].map((place) => casesOf('start', { in_progress: [place] }).map((only) => ({ ...only, isBehind: true })));

/** On a cluster: an attempt whose container is lost, and the parts of a stop and of a start. */
export const clusterCases: CrashCase[][] = [
  casesOf('stop', { stopped: ['after StoppedContainers.save'] }),
  casesOf('resume', { stopped: ['after Pods.create'], running: ['after StoppedContainers.restore'] }),
  ...['after LostStore.claim', 'after Pods.create', 'after LostStore.setReplaced', 'before LostStore.setRemoved'].map(
    (place) => casesOf('lose', { in_progress: [place] }).map((only) => ({ ...only, isBehind: true })),
  ),
];

export const methodsOf = (cases: readonly CrashCase[]): string[] => cases.map(({ place }) => place.split(' ')[1] ?? '');
