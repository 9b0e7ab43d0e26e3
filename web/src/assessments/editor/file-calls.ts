import { queryOptions } from '@tanstack/react-query';
import type { Answer } from '../../api/client.ts';
import { type Kind, pathOf } from '../../api/kinds.ts';
import { ok } from '../../api/problem.ts';
import type { Door } from '../../teaching-model/door.ts';

export type MachineFile = Answer<'/api/admin/exams/{id}/files'>[number];
/** An empty owner or mode is the default of the service. */
export type FileFields = { path: string; owner: string; mode: string };

const type = 'application/octet-stream';

export const filesQuery = ({ api }: Door, kind: Kind, id: number) =>
  queryOptions({
    queryKey: ['authoring', kind, id, 'files'],
    queryFn: ({ signal }) =>
      ok(api.GET(pathOf(kind, '/api/admin/exams/{id}/files'), { params: { path: { id } }, signal })),
  });

export function uploadFile(
  { api }: Door,
  kind: Kind,
  id: number,
  { path, owner, mode }: FileFields,
  task_id: number | undefined,
  content: Blob,
): Promise<MachineFile> {
  const query = { path, ...(owner && { owner }), ...(mode && { mode }), ...(task_id === undefined ? {} : { task_id }) };
  return ok(
    api.PUT(pathOf(kind, '/api/admin/exams/{id}/files'), {
      params: { path: { id }, query },
      headers: { 'content-type': type },
      // The document types the content as a string, but the file is sent.
      body: '',
      bodySerializer: () => content,
    }),
  );
}

export const changeFile = (
  { api }: Door,
  kind: Kind,
  id: number,
  file_id: number,
  body: FileFields,
): Promise<MachineFile> =>
  ok(api.PUT(pathOf(kind, '/api/admin/exams/{id}/files/{file_id}'), { params: { path: { id, file_id } }, body }));

export const deleteFile = ({ api }: Door, kind: Kind, id: number, file_id: number) =>
  ok(api.DELETE(pathOf(kind, '/api/admin/exams/{id}/files/{file_id}'), { params: { path: { id, file_id } } }));
