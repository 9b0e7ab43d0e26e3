import { download } from '../api/download.ts';
import { Problem, refusalOf } from '../api/problem.ts';
import { session } from '../api/session.ts';

/** A machine, and the shell whose folder paths begin in. */
export type Machine = { containerId: number; shellId: string | undefined };
type Uploaded = { path: string; bytes: number };

const pathOf = ({ containerId }: Machine): string => `/api/containers/${containerId}/files`;
const placeOf = ({ shellId }: Machine, path: string) => ({ path, ...(shellId ? { session: shellId } : {}) });

/** @throws Problem, `file_exists` unless the file may be replaced */
export async function uploadFile(machine: Machine, file: File, path: string, isReplacing: boolean): Promise<Uploaded> {
  const url = new URL(pathOf(machine), location.origin);
  url.search = new URLSearchParams({ ...placeOf(machine, path), is_replacing: `${isReplacing}` }).toString();
  const headers = { 'content-type': 'application/octet-stream' };
  const response = await session.fetch(url, { method: 'PUT', headers, body: file }).catch((): never => {
    throw new Problem(0);
  });
  const body: unknown = await response.json().catch(() => undefined);
  if (!response.ok) throw refusalOf(response, body);
  return body as Uploaded;
}

/** Saves a file of the machine through the browser. @throws Problem */
export const downloadFile = (machine: Machine, path: string): Promise<void> =>
  download(pathOf(machine), placeOf(machine, path));
