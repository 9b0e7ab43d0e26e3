/**
 * The service's clock, as derived from its answers. It decides about deadlines, and a student's computer can be minutes off. It is counted by
 * the time since the page was loaded, which does not follow the computer's clock when that is set.
 */
type Reading = {
  /** Milliseconds from the page's time to that of the service, and how much that can be off. */
  ahead: number;
  margin: number;
  isService: boolean;
};

/** Milliseconds for which a reading is better than a later one that is less accurate. */
const goodFor = 300_000;
/** Milliseconds by which the two clocks of the computer may differ between two looks. */
const tolerance = 1000;

let reading: Reading | undefined;
let readAt = 0;

function learn(moment: number, begin: number, end: number, margin: number, isService: boolean): void {
  if (Number.isNaN(moment)) return;
  const found = { ahead: moment - (begin + end) / 2, margin: (end - begin) / 2 + margin, isService };
  if (reading) {
    const isBetterSource = isService && !reading.isService;
    const isContradiction = Math.abs(found.ahead - reading.ahead) > found.margin + reading.margin;
    const isBetter = found.margin <= reading.margin || isContradiction || end - readAt > goodFor;
    if ((reading.isService && !isService) || !(isBetterSource || isBetter)) return;
  }
  reading = found;
  readAt = end;
}

/**
 * Learns the time that the service has written into an answer.
 * @param begin of the request, and `end` of its answer, by `performance.now()`
 */
export const learnServiceTime = (moment: string | undefined, begin: number, end = performance.now()): void =>
  learn(Date.parse(moment ?? ''), begin, end, 0, true);

/** Learns the `Date` of an answer, in whole seconds. It can be that of a proxy, so it counts only until the service's own time is known. */
export const learnDate = (response: Response, begin: number, end = performance.now()): void =>
  learn(Date.parse(response.headers.get('Date') ?? '') + 500, begin, end, 500, false);

/** Milliseconds since 1970 by the service's clock. */
export const serverNow = (): number => (reading ? performance.now() + reading.ahead : Date.now());

/**
 * Reports when the computer's clock was set, or the computer slept: the page's time may have stood still. The service has to be asked.
 * @returns what ends the reports
 */
export function onClockDoubt(report: () => void): () => void {
  let difference = Date.now() - performance.now();
  const timer = setInterval(() => {
    const now = Date.now() - performance.now();
    if (Math.abs(now - difference) > tolerance) report();
    difference = now;
  }, tolerance);
  return () => clearInterval(timer);
}
