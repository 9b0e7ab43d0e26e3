import { queryOptions, useMutation, useQueryClient } from '@tanstack/react-query';
import { type Answer, api } from '../api/client.ts';
import { ok, okAll } from '../api/problem.ts';
import { forgetShells } from '../terminal/shell-id.ts';

export type Container = Answer<'/api/containers/{id}'>;

export const sandboxesQuery = queryOptions({
  queryKey: ['sandboxes'],
  queryFn: ({ signal }) => ok(api.GET('/api/containers/sandbox', { signal })),
});

export const templatesQuery = queryOptions({
  queryKey: ['sandbox-templates'],
  queryFn: ({ signal }) => okAll((query) => api.GET('/api/sandbox-templates', { params: { query }, signal })),
  staleTime: 60_000,
});

/** How many sandboxes a user can have. */
export const limitsQuery = queryOptions({
  queryKey: ['sandbox-limits'],
  queryFn: ({ signal }) => ok(api.GET('/api/containers/limits', { signal })),
  staleTime: 60_000,
});

export const containerQuery = (id: number) =>
  queryOptions({
    queryKey: ['containers', id],
    queryFn: ({ signal }) => ok(api.GET('/api/containers/{id}', { params: { path: { id } }, signal })),
  });

/** The actions on sandboxes. Each updates the list and the container's own page. */
export function useSandboxActions() {
  const client = useQueryClient();
  const seen = (container: Container): void => {
    client.setQueryData(containerQuery(container.id).queryKey, container);
    void client.invalidateQueries({ queryKey: sandboxesQuery.queryKey });
  };
  const path = (id: number) => ({ params: { path: { id } } });
  return {
    create: useMutation({
      mutationFn: (templateId?: number) =>
        ok(api.POST('/api/containers/create', { body: templateId === undefined ? {} : { template_id: templateId } })),
      onSuccess: seen,
    }),
    start: useMutation({
      mutationFn: (id: number) => ok(api.POST('/api/containers/{id}/start', path(id))),
      onSuccess: seen,
    }),
    stop: useMutation({
      mutationFn: (id: number) => ok(api.POST('/api/containers/{id}/stop', path(id))),
      onSuccess: seen,
    }),
    /** Where it fails, the sandbox may be gone. */
    reset: useMutation({
      mutationFn: (id: number) => ok(api.POST('/api/containers/{id}/reset', path(id))),
      onSuccess: (container) => {
        forgetShells(container.id);
        seen(container);
      },
      onError: (_error, id) => {
        void client.invalidateQueries({ queryKey: containerQuery(id).queryKey });
        void client.invalidateQueries({ queryKey: sandboxesQuery.queryKey });
      },
    }),
    remove: useMutation({
      mutationFn: (id: number) => ok(api.DELETE('/api/containers/{id}', path(id))),
      onSuccess: async (_answer, id) => {
        client.removeQueries({ queryKey: containerQuery(id).queryKey });
        await client.invalidateQueries({ queryKey: sandboxesQuery.queryKey });
      },
    }),
  };
}
