import { queryOptions } from '@tanstack/react-query';
import { type Answer, api } from '../api/client.ts';
import { type ListSearch, listQuery } from '../api/list-query.ts';
import { ok } from '../api/problem.ts';

export type Note = Answer<'/api/notes'>[number];

/** All lists of notes, for their invalidation. */
export const notesKey = ['notes'];
const maxOfLesson = 100;

/** A page of the user's notes. */
export const notesQuery = (search: ListSearch) =>
  listQuery([...notesKey, 'all'], search, (options) => api.GET('/api/notes', options));

/** Those of one lesson, the newest ones. */
export const lessonNotesQuery = (theme_id: number) =>
  queryOptions({
    queryKey: [...notesKey, 'lesson', theme_id],
    queryFn: ({ signal }) =>
      ok(api.GET('/api/notes', { params: { query: { theme_id, page_size: maxOfLesson } }, signal })),
    staleTime: 60_000,
  });

export const createNote = (note: { theme_id: number; heading: string; excerpt: string; text: string }) =>
  ok(api.POST('/api/notes', { body: note }));

export const changeNote = (id: number, text: string) =>
  ok(api.PUT('/api/notes/{id}', { params: { path: { id } }, body: { text } }));

export const deleteNote = (id: number) => ok(api.DELETE('/api/notes/{id}', { params: { path: { id } } }));
