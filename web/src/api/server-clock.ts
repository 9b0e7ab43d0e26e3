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

let reading: Reading | undefined;
let readAt = 0;
/** The latest time that the service has told. */
let heard = Number.NEGATIVE_INFINITY;

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
 * Learns the time from an answer: that which the service has written into it, or until that is known the header `Date`, which has whole
 * seconds and can be that of a proxy.
 * @param begin of the request, and `end` of its answer, by `performance.now()`
 */
export function learnTime({ headers }: Pick<Response, 'headers'>, begin: number, end = performance.now()): void {
  const told = Date.parse(headers.get('Service-Time') ?? '');
  if (told > heard) heard = told;
  learn(told, begin, end, 0, true);
  learn(Date.parse(headers.get('Date') ?? '') + 500, begin, end, 500, false);
}

/** Whether the service itself has told a time that is not before this one. */
export const hasReached = (moment: string): boolean => heard >= Date.parse(moment);

/** Milliseconds since 1970 by the service's clock. */
export const serverNow = (): number => (reading ? performance.now() + reading.ahead : Date.now());
