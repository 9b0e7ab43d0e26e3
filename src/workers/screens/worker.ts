/** A thread that keeps the screens of many terminals. What their programs write is parsed here and nowhere else. */
import { setPriority } from 'node:os';
import { constants, type PerformanceEntry, PerformanceObserver } from 'node:perf_hooks';
import { setImmediate as nextTurn } from 'node:timers/promises';
import { getHeapStatistics } from 'node:v8';
import { parentPort, workerData } from 'node:worker_threads';
import type { ScreenSize } from '../../features/terminal/terminal-screens.ts';
import { KeptScreen, pace } from './kept-screen.ts';
import type { FromWorker, ToWorker, WorkerData } from './messages.ts';

/** Of the heap: beyond it the screen that has most objects is dropped, before the whole worker is lost. */
const mostOfHeap = 0.6;
/** Cells with an object of their own, of a screen that is worth dropping. */
const manyObjects = 20_000;
/** While nobody waits for a picture, drawing rests so many times as long as it works: others have more use of the processor. */
const restFactor = 30;
/** Less urgent than requests. Linux has it for threads; elsewhere it is the whole process's. */
const niceness = 5;

const { limits, current, heapBytes } = workerData as WorkerData;
const screens = new Map<number, KeptScreen>();
/** In the order in which they get their turn. */
const turns = new Set<KeptScreen>();
const quietTimers = new Map<number, NodeJS.Timeout>();
let isWorking = false;
/** Of the heap too much is in use, which a collection of garbage shows. */
let isFull = false;
/** Since a screen was dropped its objects have been collected: until then the heap shows them as used. */
let isCollected = true;
let wake = (): void => {};

const send = (message: FromWorker, transfer: ArrayBuffer[] = []): void => parentPort?.postMessage(message, transfer);

function open(id: number, size: ScreenSize): void {
  screens.set(id, new KeptScreen(id, size, limits));
}

function close(id: number): void {
  const screen = screens.get(id);
  if (!screen) return;
  screens.delete(id);
  turns.delete(screen);
  clearTimeout(quietTimers.get(id));
  quietTimers.delete(id);
  screen[Symbol.dispose]();
}

/** Output is drawn when it is quiet. */
function drawSoon(screen: KeptScreen): void {
  if (quietTimers.has(screen.id) || turns.has(screen)) return;
  const timer = setTimeout(() => {
    quietTimers.delete(screen.id);
    if (screen.isFlooded()) drawSoon(screen);
    else work(screen);
  }, pace.quiet);
  quietTimers.set(screen.id, timer);
}

function work(screen: KeptScreen): void {
  turns.add(screen);
  if (!isWorking) void workAll();
}

async function workAll(): Promise<void> {
  isWorking = true;
  while (turns.size > 0) {
    const wanted = [...turns].find(({ isWanted }) => isWanted);
    const screen = wanted ?? ([...turns][0] as KeptScreen);
    turns.delete(screen);
    const begin = performance.now();
    workOn(screen);
    // Messages are taken in between.
    if (wanted) await nextTurn();
    else await rest((performance.now() - begin) * restFactor);
  }
  isWorking = false;
}

function workOn(screen: KeptScreen): void {
  Atomics.store(current, 0, screen.id);
  try {
    const picture = screen.step();
    if (picture) send({ is: 'picture', id: screen.id, ...picture }, [picture.bytes.buffer as ArrayBuffer]);
  } catch (error) {
    drop(screen.id, error instanceof Error ? error.message : 'unknown');
    return;
  } finally {
    Atomics.store(current, 0, 0);
  }
  if (isFull) dropHeaviest();
  isFull = false;
  if (!screens.has(screen.id) || !screen.hasWork) return;
  // A flood that has begun meanwhile: later, unless somebody waits.
  if (!screen.isWanted && screen.isFlooded()) drawSoon(screen);
  else turns.add(screen);
}

/**
 * Of those that have written most marks and styles the one that holds most. To count takes some 20 ms for a full screen: the few that
 * are counted, once each, leave pings their answer in time. Where none holds much it is garbage, which goes by itself.
 */
function dropHeaviest(): void {
  const [heaviest] = [...screens.values()]
    .sort((a, b) => b.weight - a.weight)
    .slice(0, 4)
    .map((screen) => ({ id: screen.id, objects: screen.countObjects() }))
    .sort((a, b) => b.objects - a.objects);
  if (!heaviest || heaviest.objects < manyObjects) return;
  isCollected = false;
  drop(heaviest.id, 'it filled the memory');
}

/** Only this one is lost. */
function drop(id: number, reason: string): void {
  close(id);
  send({ is: 'dropped', id, reason });
}

/** Until the time is over or somebody wants a picture. */
async function rest(milliseconds: number): Promise<void> {
  await new Promise<void>((resolve) => {
    const timer = setTimeout(resolve, milliseconds);
    wake = () => {
      clearTimeout(timer);
      resolve();
    };
  });
}

const isFullCollection = (entry: PerformanceEntry): boolean =>
  (entry as PerformanceEntry & { detail?: { kind?: number } }).detail?.kind === constants.NODE_PERFORMANCE_GC_MAJOR;

function take(message: ToWorker): void {
  if (message.do === 'ping') send({ is: 'pong', isIdle: turns.size === 0 && quietTimers.size === 0 && !isWorking });
  else if (message.do === 'open') open(message.id, message.size);
  else if (message.do === 'close') close(message.id);
  else {
    const screen = screens.get(message.id);
    if (message.do === 'write') {
      screen?.write(message.bytes, message.skipped);
      send({ is: 'taken', id: message.id, bytes: message.bytes.length });
    }
    if (!screen) return;
    if (message.do === 'resize') screen.resize(message.size);
    if (message.do !== 'picture') drawSoon(screen);
    else {
      screen.want(message.number);
      work(screen);
      wake();
    }
  }
}

new PerformanceObserver((list) => {
  isCollected ||= list.getEntries().some(isFullCollection);
  isFull = isCollected && getHeapStatistics().used_heap_size > mostOfHeap * heapBytes;
}).observe({ entryTypes: ['gc'] });
if (process.platform === 'linux') setPriority(niceness);
parentPort?.on('message', take);
send({ is: 'ready' });
