/** One field that a request was refused for, as the API says it. */
export type ProblemItem = { loc: readonly (string | number)[]; msg: string; type: string };

/** A refusal by the service, or no answer at all (`status` 0). */
export class Problem extends Error {
  readonly status: number;
  readonly items: readonly ProblemItem[];
  /** Seconds after which another try makes sense, where the service says so. */
  readonly retryAfter: number | undefined;

  constructor(status: number, detail: unknown, retryAfter?: number) {
    const items = Array.isArray(detail) ? (detail as ProblemItem[]) : [];
    super(typeof detail === 'string' ? detail : items.map(({ loc, msg }) => `${loc.at(-1) ?? ''}: ${msg}`).join('; '));
    this.name = 'Problem';
    this.status = status;
    this.items = items;
    this.retryAfter = retryAfter;
  }

  /** What is wrong with a field of a form, if anything is. */
  of(field: string): string | undefined {
    return this.items.find(({ loc }) => loc.at(-1) === field)?.msg;
  }
}

type Fetched<Data> = { data?: Data; error?: unknown; response: Response };
export type Page<Item> = { items: Item[]; total: number };

/** The body of a good answer. @throws Problem for any other, and for none */
export async function ok<Data>(request: Promise<Fetched<Data>>): Promise<Data> {
  return (await answered(request)).data as Data;
}

/** A page of a list, with the number of items on all pages. @throws Problem */
export async function okPage<Item>(request: Promise<Fetched<Item[]>>): Promise<Page<Item>> {
  const { data = [], response } = await answered(request);
  return { items: data, total: Number(response.headers.get('X-Total-Count') ?? data.length) };
}

/** All items of a list that comes in pages. @throws Problem */
export async function okAll<Item>(
  request: (query: { page: number; page_size: number }) => Promise<Fetched<Item[]>>,
): Promise<Item[]> {
  const all: Item[] = [];
  for (let page = 1; ; page += 1) {
    const { items, total } = await okPage(request({ page, page_size: 100 }));
    all.push(...items);
    if (items.length === 0 || all.length >= total) return all;
  }
}

async function answered<Data>(request: Promise<Fetched<Data>>): Promise<Fetched<Data>> {
  const fetched = await request.catch((error: unknown): never => {
    if (error instanceof DOMException && error.name === 'AbortError') throw error;
    if (error instanceof Problem) throw error;
    throw new Problem(0, '');
  });
  const { response, error } = fetched;
  if (response.ok) return fetched;
  const detail = typeof error === 'object' && error !== null && 'detail' in error ? error.detail : response.statusText;
  const retryAfter = Number(response.headers.get('Retry-After') ?? Number.NaN);
  throw new Problem(response.status, detail, Number.isNaN(retryAfter) ? undefined : retryAfter);
}
