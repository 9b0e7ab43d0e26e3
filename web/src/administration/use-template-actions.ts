import { useMutation, useQueryClient } from '@tanstack/react-query';
import { api } from '../api/client.ts';
import { ok } from '../api/problem.ts';
import { useStrings } from '../strings/use-strings.tsx';
import { useToasts } from '../ui/toasts.tsx';
import { useUndo } from '../ui/use-undo.ts';
import { type Template, templatesQuery } from './queries.ts';

type Move = { templates: readonly Template[]; from: number; to: number };

/** Optimistic updates of templates, which are reverted where the service refuses them. */
export function useTemplateActions() {
  const t = useStrings();
  const toasts = useToasts();
  const undo = useUndo();
  const queries = useQueryClient();
  const { queryKey } = templatesQuery;

  const show = async (change: (templates: Template[]) => Template[]) => {
    await queries.cancelQueries({ queryKey });
    const before = queries.getQueryData(queryKey);
    queries.setQueryData(queryKey, (now) => now && change(now));
    return { before };
  };
  const common = {
    onError: (error: Error, _given: unknown, shown: { before: Template[] | undefined } | undefined) => {
      queries.setQueryData(queryKey, shown?.before);
      toasts.failed(error);
    },
    // The students' list shows them as well.
    onSettled: () =>
      Promise.all([
        queries.invalidateQueries({ queryKey }),
        queries.invalidateQueries({ queryKey: ['sandbox-templates'] }),
      ]),
  };

  const activate = useMutation({
    mutationFn: ({ id, is_active }: Pick<Template, 'id' | 'is_active'>) =>
      ok(api.PUT('/api/admin/sandbox-templates/{id}', { params: { path: { id } }, body: { is_active } })),
    onMutate: ({ id, is_active }) =>
      show((templates) => templates.map((one) => (one.id === id ? { ...one, is_active } : one))),
    ...common,
  });

  const move = useMutation({
    mutationFn: async ({ templates, from, to }: Move) => {
      // Positions count from 1. Only changed positions are saved.
      for (const [index, { id, order_index }] of moved(templates, from, to).entries()) {
        if (order_index === index + 1) continue;
        await ok(
          api.PUT('/api/admin/sandbox-templates/{id}', { params: { path: { id } }, body: { order_index: index + 1 } }),
        );
      }
    },
    onMutate: ({ from, to }) => show((templates) => moved(templates, from, to)),
    onSuccess: (_done, { templates, from, to }) =>
      toasts.done(t.administration.moved(templates[from]?.name ?? '', to + 1)),
    ...common,
  });

  const remove = async ({ id, name }: Template): Promise<void> => {
    await ok(api.DELETE('/api/admin/sandbox-templates/{id}', { params: { path: { id } } }));
    undo(t.administration.deleted(name), 'sandbox_template', id);
    await common.onSettled();
  };
  return { activate, move, remove };
}

function moved(templates: readonly Template[], from: number, to: number): Template[] {
  const rest = templates.toSpliced(from, 1);
  return templates[from] ? rest.toSpliced(to, 0, templates[from]) : rest;
}
