import type { Answer } from '../api/client.ts';
import { Problem, type ProblemItem, refusalOf } from '../api/problem.ts';
import { session } from '../api/session.ts';

export type ImportCheck = Answer<'/api/admin/user-imports/check', 'post'>;
export type ListedProblem = ImportCheck['problems'][number];

/** How a file is to be read. An absent value is found by the service. */
export type UsernameSource = NonNullable<ImportCheck['usernames']>['source'];
export type Reading = {
  columns?: string;
  header?: boolean;
  encoding?: ImportCheck['encoding'];
  usernames?: UsernameSource;
};

/** The body is the file itself, which the typed client would encode as JSON. @throws Problem */
export async function sendTable<Result>(path: string, file: Blob, query: object): Promise<Result> {
  const given = Object.entries(query).filter(([, value]) => value !== undefined);
  const address = `${path}?${new URLSearchParams(given.map(([name, value]) => [name, String(value)]))}`;
  const response = await session
    .fetch(address, { method: 'POST', body: file, headers: { 'content-type': 'text/csv' } })
    .catch((): never => {
      throw new Problem(0);
    });
  const body: unknown = await response.json().catch(() => undefined);
  if (!response.ok) throw refusalOf(response, body);
  return body as Result;
}

/** How a checked file was read, so that the import reads it in the same way. */
export const readingOf = ({ columns, has_header, encoding, usernames }: ImportCheck): Reading => ({
  ...(usernames && { usernames: usernames.source }),
  columns: columns.map(({ field }) => field ?? '').join(','),
  header: has_header,
  encoding,
});

/** A problem of a refused import, as a check lists it. */
export const problemOf = ({ loc, msg, code = '', params = {} }: ProblemItem): ListedProblem => ({
  line: Number(loc[1]),
  column: loc[2] === undefined ? null : String(loc[2]),
  ...{ code, params },
  detail: msg.replace(/^Value error, /, ''),
});
