import { queryOptions, useQuery } from '@tanstack/react-query';
import { useEffect, useState } from 'react';
import { api } from '../../api/client.ts';
import { dropDraft, keepDraft, keptDraft } from '../../api/drafts.ts';
import { type Kind, pathOf } from '../../api/kinds.ts';
import { ok } from '../../api/problem.ts';
import { upload } from '../../api/upload.ts';
import { AnswerStore, type Given, type Saved, type Unsaved } from './answer-store.ts';

const path = '/api/exams/attempts/{id}/answers';
/** Milliseconds without an answer after which a request is repeated. */
const patience = 30_000;
/** Characters that a browser still sends for a page that is closed: at most 64 KiB. */
const maxKeptAlive = 15_000;

const draftName = (kind: Kind, attemptId: number): string => `answers-${kind}-${attemptId}`;

export const answersQuery = (kind: Kind, id: number) =>
  queryOptions({
    queryKey: ['attempts', kind, 'answers', id],
    queryFn: ({ signal }) => ok(api.GET(pathOf(kind, path), { params: { path: { id } }, signal })),
  });

async function save(kind: Kind, id: number, task_id: number, given: Given, onProgress: (part: number) => void) {
  if ('file' in given) {
    const place = pathOf(kind, path).replace('{id}', `${id}`);
    return (await upload(`${place}/${task_id}`, given.file, onProgress)) as Saved;
  }
  const keepalive = 'choice_ids' in given || given.text.length <= maxKeptAlive;
  const params = { path: { id, task_id } };
  const signal = AbortSignal.timeout(patience);
  return await ok(api.PUT(pathOf(kind, `${path}/{task_id}`), { params, body: given, signal, keepalive }));
}

/** The answers of an attempt in progress, which are saved while they are given. @param isEnabled whether any task has one */
export function useAnswers(kind: Kind, attemptId: number, isEnabled: boolean) {
  const [store] = useState(() => {
    const name = draftName(kind, attemptId);
    return new AnswerStore({
      save: (taskId, given, onProgress) => save(kind, attemptId, taskId, given, onProgress),
      kept: () => keptDraft<Unsaved>(name)?.values ?? {},
      keep: (unsaved) => (Object.keys(unsaved).length === 0 ? dropDraft(name) : keepDraft(name, unsaved, '')),
    });
  });
  const query = useQuery({ ...answersQuery(kind, attemptId), enabled: isEnabled, staleTime: 0 });
  const { data } = query;
  const [isLoaded, setLoaded] = useState(false);
  useEffect(() => {
    if (!data) return;
    store.load(data);
    if (!isLoaded) store.restore();
    setLoaded(true);
  }, [data, store, isLoaded]);
  useEffect(() => {
    store.open();
    const leave = (): void => {
      if (document.visibilityState === 'visible') return;
      store.keepNow();
      void store.flush().catch(() => {});
    };
    const onOnline = (): void => void store.flush().catch(() => {});
    addEventListener('pagehide', leave);
    document.addEventListener('visibilitychange', leave);
    addEventListener('online', onOnline);
    return () => {
      removeEventListener('pagehide', leave);
      document.removeEventListener('visibilitychange', leave);
      removeEventListener('online', onOnline);
      store.close();
    };
  }, [store]);
  return { store, isLoaded, error: isLoaded ? null : query.error, retry: () => void query.refetch() };
}
export type Answers = ReturnType<typeof useAnswers>;

export const answerFilePath = (kind: Kind, attemptId: number, taskId: number): string =>
  `${pathOf(kind, path).replace('{id}', `${attemptId}`)}/${taskId}/file`;

/** For an attempt that has ended. */
export const forgetAnswers = (kind: Kind, attemptId: number): void => dropDraft(draftName(kind, attemptId));
