import { Problem, refusalOf } from './problem.ts';
import { session } from './session.ts';

/** Milliseconds after which the browser has certainly begun to write the file. */
const untilTaken = 60_000;

type Query = Record<string, string | number | boolean | undefined>;

/** Fetches a file with the token and saves it through the browser. @throws Problem */
export async function download(path: string, query: Query = {}, type = '*/*') {
  const { blob, name } = await fetchFile(path, query, type);
  saveFile(blob, name);
}

/** Saves a file that the page has created or fetched, as a browser download. */
export function saveFile(blob: Blob, name: string): void {
  const link = document.createElement('a');
  link.href = URL.createObjectURL(blob);
  link.download = name;
  link.click();
  setTimeout(() => URL.revokeObjectURL(link.href), untilTaken);
}

async function fetchFile(path: string, query: Query, type: string) {
  const url = new URL(path, location.origin);
  for (const [name, value] of Object.entries(query)) if (value !== undefined) url.searchParams.set(name, `${value}`);
  const response = await session.fetch(url, { headers: { accept: type } }).catch((): never => {
    throw new Problem(0);
  });
  if (!response.ok) throw refusalOf(response, await response.json().catch(() => undefined));
  const disposition = response.headers.get('Content-Disposition') ?? '';
  const [, plain = 'download'] = /filename="([^"]+)"/.exec(disposition) ?? [];
  const [, encoded] = /filename\*=UTF-8''(\S+)/.exec(disposition) ?? [];
  return { blob: await response.blob(), name: encoded === undefined ? plain : decodeURIComponent(encoded) };
}
