/** A thread that holds the screens of many terminals. Program output is parsed only here. */
import { setPriority } from 'node:os';
import { constants, type PerformanceEntry, PerformanceObserver } from 'node:perf_hooks';
import { setImmediate as nextTurn } from 'node:timers/promises';
import { getHeapStatistics } from 'node:v8';
import { parentPort, workerData } from 'node:worker_threads';
import { KeptScreen, pace } from './kept-screen.ts';
import type { FromWorker, ToWorker, WorkerData } from './messages.ts';
import type { ScreenSize } from './terminal-screens.ts';

/** Share of the heap at which the screen with the most objects is dropped, to save the whole worker. */
const mostOfHeap = 0.6;
/** Minimum number of cells with objects for a screen to be dropped. */
const manyObjects = 20_000;
/** Without a pending picture request, drawing pauses for this multiple of its working time, to free the processor for others. */
const restFactor = 30;
/** Lower priority than requests. Linux sets it per thread, other systems for the whole process. */
const niceness = 5;

const { limits, current, heapBytes } = workerData as WorkerData;
const screens = new Map<number, KeptScreen>();
/** Screens in the order of their turns. */
const turns = new Set<KeptScreen>();
const quietTimers = new Map<number, NodeJS.Timeout>();
let isWorking = false;
/** Whether too much of the heap is in use after a garbage collection. */
let isFull = false;
/** Since a screen was dropped its objects have been collected: until then the heap shows them as used. */
let isCollected = true;
let wake = (): void => {};

const send = (message: FromWorker, transfer: ArrayBuffer[] = []): void => parentPort?.postMessage(message, transfer);

function open(id: number, size: ScreenSize, at: number): void {
  screens.set(id, new KeptScreen(id, size, limits, at));
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

/** Draws output when it becomes quiet. */
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
    // Messages are processed in between.
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
  // If a flood has started, draw later, unless a picture is requested.
  if (!screen.isWanted && screen.isFlooded()) drawSoon(screen);
  else turns.add(screen);
}

/**
 * Drops the screen with the most objects among those that have written most marks and styles. A count takes some 20 ms for a full
 * screen. Only a few are counted, once each, so pings are answered in time. If no screen has many objects, the memory is garbage
 * and will be collected.
 */
function dropHeaviest(): void {
  const [heaviest] = [...screens.values()]
    .sort((a, b) => b.weight - a.weight)
    .slice(0, 4)
    .map((screen) => ({ id: screen.id, objects: screen.countObjects() }))
    .sort((a, b) => b.objects - a.objects);
  if (!heaviest || heaviest.objects < manyObjects) return;
  isCollected = false;
  drop(heaviest.id, 'out of memory');
}

/** Only this screen is lost. */
function drop(id: number, reason: string): void {
  close(id);
  send({ is: 'dropped', id, reason });
}

/** Waits until the time is over or a picture is requested. */
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
  else if (message.do === 'open') open(message.id, message.size, message.at);
  else if (message.do === 'close') close(message.id);
  else {
    const screen = screens.get(message.id);
    if (message.do === 'write') {
      screen?.write(message.bytes, message.skipped);
      send({ is: 'taken', id: message.id, bytes: message.bytes.length });
    }
    if (!screen) return;
    if (message.do === 'resize') screen.resize(message.size);
    if (message.do !== 'picture') {
      if (screen.isDue) drawSoon(screen);
    } else {
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
