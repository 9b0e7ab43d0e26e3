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
  | 'resume';

/**
 * An operation that a crash interrupts at a place, and its expected outcome after the recovery. `isBehind`: the background work of the
 * operation is interrupted.
 */
export type CrashCase = { name: string; flow: Flow; place: string; outcome: string; isBehind?: boolean };

const casesOf = (flow: Flow, outcomes: Record<string, string[]>): CrashCase[] =>
  Object.entries(outcomes).flatMap(([outcome, places]) =>
    places.map((place) => ({ name: `${flow}, ${place}`, flow, place, outcome })),
  );

/** Every write to the database and every call of the engine, in order. Before its first write an operation has no effect. */
export const coldCases: CrashCase[] = [
  ...casesOf('start', {
    gone: [
      'after StartStore.reserve',
      'after ReservationStore.reserveForAttempt',
      'before EngineContainer.start',
      'after DockerEngine.create',
      'after ContainerStore.setMade',
    ],
    in_progress: ['after StartStore.begin'],
  }),
  // An attempt that is queued has its place from then on, and starts in the next process.
  ...casesOf('queue', {
    gone: ['before QueueStore.join'],
    in_progress: [
      'after QueueStore.join',
      'before EngineContainer.start',
      'after DockerEngine.create',
      'after ContainerStore.setMade',
      'after StartStore.begin',
    ],
  }),
  ...casesOf('submit', {
    in_progress: ['after GradingStore.beginGrading', 'before ResultStore.saveResult 2', 'before GradingStore.finish'],
    finished: [
      'after GradingStore.finish',
      'after ContainerStore.setRemoving',
      'after DockerEngine.remove',
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
      'after DockerEngine.remove',
    ],
  }),
  ...casesOf('abandon', {
    in_progress: ['before GradingStore.abandon'],
    abandoned: ['after GradingStore.abandon', 'after ContainerStore.setRemoving', 'after DockerEngine.remove'],
  }),
  ...casesOf('check', { in_progress: ['before ResultStore.saveResult 2', 'before GradingStore.endCheck'] }),
  ...casesOf('create', {
    gone: ['after ReservationStore.reserveSandbox', 'before EngineContainer.start', 'after DockerEngine.create'],
    running: ['after ContainerStore.setMade'],
  }),
  ...casesOf('delete', {
    running: ['before ContainerStore.setRemoving'],
    gone: [
      'after ContainerStore.setRemoving',
      'after DockerEngine.rename',
      'after DockerEngine.remove',
      'after ContainerStore.forget',
    ],
  }),
  ...casesOf('stop', { stopped: ['after DockerEngine.stop'] }),
  ...casesOf('resume', { running: ['after DockerEngine.start'] }),
];

export const warmCases: CrashCase[] = casesOf('start', {
  gone: ['after WarmStore.claimWarm', 'after DockerEngine.rename'],
  in_progress: ['after StartStore.begin'],
});

export const warmQueueCases: CrashCase[] = casesOf('queue', {
  in_progress: ['after QueueStore.join', 'after DockerEngine.rename', 'after StartStore.begin'],
});

/** Each process refills the pool in the background, one container at a time. So each crash has one place. */
export const refillCases: CrashCase[][] = [
  'after DockerEngine.create',
  'after WarmStore.reserveWarm',
  'before EngineContainer.start',
  'after ContainerStore.setMade',
].map((place) => casesOf('start', { in_progress: [place] }).map((only) => ({ ...only, isBehind: true })));

export const methodsOf = (cases: readonly CrashCase[]): string[] => cases.map(({ place }) => place.split(' ')[1] ?? '');
