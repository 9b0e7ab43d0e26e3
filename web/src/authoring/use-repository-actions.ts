import { useMutation, useQueryClient } from '@tanstack/react-query';
import { api } from '../api/client.ts';
import { ok } from '../api/problem.ts';
import { codedText } from '../strings/coded-text.ts';
import { useStrings } from '../strings/use-strings.tsx';
import { useToasts } from '../ui/toasts.tsx';
import { repositoriesQuery } from './tree-query.ts';

type Named = { id: number; name: string };

export function useRepositoryActions() {
  const t = useStrings();
  const words = t.authoring.repositories;
  const toasts = useToasts();
  const queries = useQueryClient();
  const onSettled = () => queries.invalidateQueries({ queryKey: repositoriesQuery.queryKey });
  const onError = (error: Error): void => toasts.failed(error);

  const test = useMutation({
    mutationFn: ({ id }: Named) =>
      ok(api.POST('/api/admin/lessons/repositories/{id}/test', { params: { path: { id } } })),
    onSuccess: ({ reason, reason_code: code, reason_params }, { name }) =>
      reason === null
        ? toasts.done(words.tested(name))
        : toasts.warn(words.testFailed(name, codedText(t, { code, params: reason_params ?? {} }, reason))),
    onError,
  });
  const refresh = useMutation({
    mutationFn: ({ id }: Named) =>
      ok(api.POST('/api/admin/lessons/repositories/{id}/refresh', { params: { path: { id } } })),
    onSuccess: (_done, { name }) => toasts.done(words.refreshed(name)),
    ...{ onError, onSettled },
  });
  const remove = async ({ id, name }: Named): Promise<void> => {
    await ok(api.DELETE('/api/admin/lessons/repositories/{id}', { params: { path: { id } } }));
    toasts.done(words.deleted(name));
    await onSettled();
  };
  const acceptKey = async (repository_id: number | null, name: string, fingerprint: string): Promise<void> => {
    try {
      await ok(api.POST('/api/admin/lessons/repositories/host-key', { body: { repository_id, fingerprint } }));
    } finally {
      // After a refusal the page has the key that the server has now.
      await onSettled();
    }
    toasts.done(words.keyAccepted(name));
  };
  return { test, refresh, remove, acceptKey };
}
