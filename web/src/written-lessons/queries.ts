import { queryOptions } from '@tanstack/react-query';
import type { Answer, Body } from '../api/client.ts';
import { type ListSearch, listQuery } from '../api/list-query.ts';
import { ok, okAll } from '../api/problem.ts';
import type { Door } from '../teaching-model/door.ts';

export type WrittenFile = Answer<'/api/admin/written-lessons'>[number];
export type WrittenText = Answer<'/api/admin/written-lessons/{id}'>;
export type Revision = Answer<'/api/admin/written-lessons/{id}/revisions'>[number];
export type LessonFile = Answer<'/api/admin/lessons/files'>[number];
export type WrittenSearch = ListSearch & { q?: string | undefined; is_deleted?: boolean | undefined };

const path = '/api/admin/written-lessons';
const file = `${path}/{id}` as const;
const revisions = `${file}/revisions` as const;
const revision = `${revisions}/{revision}` as const;
export const writtenKey = ['written-lessons'];

export const writtenListQuery = ({ api, key }: Door, search: WrittenSearch) =>
  listQuery([...writtenKey, 'list', `${key}`], search, (options) => api.GET(path, options));

export const writtenFileQuery = ({ api }: Door, id: number) =>
  queryOptions({
    queryKey: [...writtenKey, 'file', id],
    queryFn: ({ signal }) => ok(api.GET(file, { params: { path: { id } }, signal })),
    // The editor works on what it has loaded. A newer revision is found when it saves.
    staleTime: 0,
  });

export const revisionsQuery = ({ api }: Door, id: number, page: number) =>
  listQuery([...writtenKey, 'revisions', `${id}`], { page }, ({ params: { query }, signal }) =>
    api.GET(revisions, { params: { path: { id }, query }, signal }),
  );

export const revisionQuery = ({ api }: Door, id: number, number: number) =>
  queryOptions({
    queryKey: [...writtenKey, 'revision', id, number],
    queryFn: ({ signal }) => ok(api.GET(revision, { params: { path: { id, revision: number } }, signal })),
    // A revision never changes.
    staleTime: Number.POSITIVE_INFINITY,
  });

/** Where the files are that a lesson can have: a section, or those that are written in the pages. */
export type FilesPlace = { section_id: number } | { is_written: true };

export const lessonFilesQuery = ({ api, key }: Door, place: FilesPlace) =>
  queryOptions({
    queryKey: [...writtenKey, 'lesson-files', place, key],
    queryFn: ({ signal }): Promise<LessonFile[]> =>
      okAll((page) => api.GET('/api/admin/lessons/files', { params: { query: { ...page, ...place } }, signal })),
    staleTime: 30_000,
  });

export const readFile = ({ api }: Door, id: number): Promise<WrittenText> =>
  ok(api.GET(file, { params: { path: { id } } }));
export const createFile = ({ api }: Door, body: Body<typeof path, 'post'>): Promise<WrittenText> =>
  ok(api.POST(path, { body }));
export const changeFile = ({ api }: Door, id: number, body: Body<typeof file, 'put'>): Promise<WrittenText> =>
  ok(api.PUT(file, { params: { path: { id } }, body }));
export const deleteFile = ({ api }: Door, id: number) => ok(api.DELETE(file, { params: { path: { id } } }));
export const restoreRevision = ({ api }: Door, id: number, number: number): Promise<WrittenText> =>
  ok(api.POST(`${revision}/restore`, { params: { path: { id, revision: number } } }));
/** The text of a lesson is written in the pages from now on. */
export const writeLesson = ({ api }: Door, theme_id: number): Promise<WrittenText> =>
  ok(api.POST('/api/admin/lessons/themes/{theme_id}/write', { params: { path: { theme_id } } }));

export const uploadPicture = ({ api }: Door, picture: File): Promise<WrittenFile> =>
  ok(
    api.POST(`${path}/pictures`, {
      params: { query: { name: picture.name.slice(0, 200) || 'picture' } },
      headers: { 'content-type': 'application/octet-stream' },
      // The document types the content as a string, but the file is sent.
      body: '',
      bodySerializer: () => picture,
    }),
  );
