/** An event at a time in seconds from the start: output, or a new size of the terminal. */
export type CastEvent = { at: number } & ({ output: string } | { size: Size });
export type Size = { cols: number; rows: number };
/** What the service has noted at a time, such as who types. */
export type CastMark = { at: number; text: string };
export type Cast = {
  size: Size;
  events: readonly CastEvent[];
  marks: readonly CastMark[];
  duration: number;
  /** When each event was recorded, and when it is shown: pauses are shorter there. Both in seconds, in their order. */
  beats: readonly { recorded: number; shown: number }[];
};

const initialSize = { cols: 80, rows: 24 };
/** The maximum number of columns, and of rows, of the terminal on which a recording is drawn. */
const largest = 500;

/**
 * Parses an asciicast v2 file (https://docs.asciinema.org/manual/asciicast/v2/). Invalid lines are skipped, because the last line of a
 * recording in progress may be incomplete.
 * @param longestPause seconds to which longer pauses are shortened
 */
export function parseCast(text: string, longestPause: number): Cast {
  const [header = '', ...lines] = text.split('\n');
  const events: CastEvent[] = [];
  const marks: CastMark[] = [];
  const beats = [{ recorded: 0, shown: 0 }];
  let before = 0;
  let at = 0;
  for (const line of lines) {
    const event = parseJson(line);
    if (!Array.isArray(event)) continue;
    const [time, code, data] = event as unknown[];
    if (typeof time !== 'number' || typeof data !== 'string') continue;
    at += Math.min(longestPause, Math.max(0, time - before));
    before = Math.max(before, time);
    beats.push({ recorded: before, shown: at });
    const size = code === 'r' ? sizeOf(data.split('x').map(Number)) : undefined;
    if (code === 'm') marks.push({ at, text: data });
    else if (code === 'o') events.push({ at, output: data });
    else if (size) events.push({ at, size });
  }
  const { width, height } = (parseJson(header) ?? {}) as { width?: unknown; height?: unknown };
  return { size: sizeOf([width, height]) ?? initialSize, events, marks, duration: at, beats };
}

/** Where a moment of a recording is shown. @param seconds from its start */
export function shownAt({ beats }: Cast, seconds: number): number {
  const index = beats.findLastIndex(({ recorded }) => recorded <= seconds);
  const [beat, next] = [beats[Math.max(0, index)], beats[index + 1]];
  const shown = (beat?.shown ?? 0) + seconds - (beat?.recorded ?? 0);
  return Math.min(shown, next?.shown ?? beat?.shown ?? 0);
}

/** The moment of the recording that is shown at a position, in seconds from its start. */
export function recordedAt({ beats }: Cast, position: number): number {
  const beat = beats.findLast(({ shown }) => shown <= position);
  return (beat?.recorded ?? 0) + position - (beat?.shown ?? 0);
}

function sizeOf([cols, rows]: readonly unknown[]): Size | undefined {
  return isLength(cols) && isLength(rows) ? { cols, rows } : undefined;
}

const isLength = (length: unknown): length is number =>
  Number.isInteger(length) && Number(length) > 0 && Number(length) <= largest;

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
