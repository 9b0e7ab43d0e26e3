import type { components } from './schema.d.ts';

/** The codes that these pages know. Unknown codes of a newer service are handled by the status of the answer. */
export type ErrorCode = components['schemas']['ErrorCode'];

/** One refused field of a request, as the API reports it. */
export type ProblemItem = {
  loc: readonly (string | number)[];
  msg: string;
  type: string;
  /** Of a problem with a code of its own, with the values in its text. Items beyond the room of a header have none. */
  code?: string;
  params?: Readonly<Record<string, string | number>>;
};
type CodedItem = components['schemas']['ErrorItem'];

/** What a refusal says besides its status. */
type Said = {
  detail?: string | undefined;
  items?: readonly ProblemItem[];
  code?: ErrorCode | undefined;
  reason?: string | undefined;
  retryAfter?: number | undefined;
  words?: string | undefined;
};

/** An error answer of the service, or no answer (`status` 0). */
export class Problem extends Error {
  readonly status: number;
  /** The error's code. Undefined where the answer did not come from the service. */
  readonly code: ErrorCode | undefined;
  /** The code of the cause, where the service names it. */
  readonly reason: string | undefined;
  /** The text that replaces the message for the code. */
  readonly words: string | undefined;
  readonly items: readonly ProblemItem[];
  /** Seconds after which a retry makes sense, where the service reports them. */
  readonly retryAfter: number | undefined;

  constructor(status: number, { detail, items = [], code, reason, retryAfter, words }: Said = {}) {
    super(detail ?? items.map(({ loc, msg }) => `${loc.at(-1) ?? ''}: ${msg}`).join('; '));
    this.name = 'Problem';
    this.status = status;
    this.code = code;
    this.reason = reason;
    this.words = words;
    this.items = items;
    this.retryAfter = retryAfter;
  }

  /** The problem of a form field, if there is one. */
  of(field: string): ProblemItem | undefined {
    return this.items.find(({ loc }) => loc.at(-1) === field);
  }

  /** The same error with a message that fits the context better than the one for its code. */
  withText(words: string): Problem {
    const { message: detail, items, code, reason, retryAfter } = this;
    return new Problem(this.status, { detail, items, code, reason, retryAfter, words });
  }
}

/** Whether the service refused with one of these codes. */
export const isRefusal = (error: unknown, ...codes: ErrorCode[]): error is Problem =>
  error instanceof Problem && error.code !== undefined && codes.includes(error.code);

/** The service's codes where no container is available to a user. */
export const noContainerCodes: ErrorCode[] = [
  'no_capacity',
  'queue_full',
  'overloaded',
  'engine_unavailable',
  'image_missing',
  'cancelled',
];

type Fetched<Data> = { data?: Data; error?: unknown; response: Response };
export type Page<Item> = {
  items: Item[];
  total: number;
  /** Whether there are more than `total`. */
  isMinimum?: boolean;
  /** Whether a page follows. */
  hasNext?: boolean;
};

/** The body of a successful answer. @throws Problem for any other answer, and without one */
export async function ok<Data>(request: Promise<Fetched<Data>>): Promise<Data> {
  return (await answered(request)).data as Data;
}

/** A page of a list, with the number of items on all pages. @throws Problem */
export async function okPage<Item>(request: Promise<Fetched<Item[]>>): Promise<Page<Item>> {
  const { data = [], response } = await answered(request);
  const isMinimum = response.headers.has('X-Total-Is-Minimum');
  const hasNext = /rel="next"/.test(response.headers.get('Link') ?? '');
  return { items: data, total: Number(response.headers.get('X-Total-Count') ?? data.length), isMinimum, hasNext };
}

/** All items of a paged list. @throws Problem */
export async function okAll<Item>(
  request: (query: { page: number; page_size: number }) => Promise<Fetched<Item[]>>,
): Promise<Item[]> {
  const all: Item[] = [];
  for (let page = 1; ; page += 1) {
    const { items, hasNext } = await okPage(request({ page, page_size: 100 }));
    all.push(...items);
    if (items.length === 0 || !hasNext) return all;
  }
}

async function answered<Data>(request: Promise<Fetched<Data>>): Promise<Fetched<Data>> {
  const fetched = await request.catch((error: unknown): never => {
    if (error instanceof DOMException && error.name === 'AbortError') throw error;
    if (error instanceof Problem) throw error;
    throw new Problem(0);
  });
  const { response, error } = fetched;
  if (response.ok) return fetched;
  throw refusalOf(response, error);
}

/** @param body of the answer, where it was JSON */
export function refusalOf({ status, statusText, headers }: Response, body: unknown): Problem {
  const { detail } = (typeof body === 'object' && body !== null ? body : {}) as { detail?: unknown };
  const retryAfter = Number(headers.get('Retry-After') ?? Number.NaN);
  return new Problem(status, {
    ...(Array.isArray(detail) ? { items: withCodes(detail as ProblemItem[], headers.get('Error-Items')) } : {}),
    detail: typeof detail === 'string' ? detail : Array.isArray(detail) ? undefined : statusText,
    code: (headers.get('Error-Code') ?? undefined) as ErrorCode | undefined,
    reason: headers.get('Error-Reason') ?? undefined,
    // The time of an opening is a date, for which nobody waits on the page.
    retryAfter: Number.isNaN(retryAfter) ? undefined : retryAfter,
  });
}

/** @param header has the codes of items by their index */
function withCodes(items: readonly ProblemItem[], header: string | null): ProblemItem[] {
  const codes = new Map(codedItems(header).map(({ index, ...code }) => [index, code]));
  return items.map((item, index) => ({ ...item, ...codes.get(index) }));
}

function codedItems(header: string | null): CodedItem[] {
  try {
    return JSON.parse(header ?? '[]') as CodedItem[];
  } catch {
    // A proxy has cut it. The items are shown in the service's words.
    return [];
  }
}
