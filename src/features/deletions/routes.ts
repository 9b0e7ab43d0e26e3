import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox';
import { Type } from 'typebox';
import { callerOf } from '../../http/access/access.ts';
import { PageQuery, readPage } from '../../http/lists/paging.ts';
import { Done, done } from '../../http/protocol/fields.ts';
import { errors, IdParams } from '../../http/protocol/schemas.ts';
import { DeletionSchema, RestoredSchema, UndoBody } from './schema.ts';
import type { DeletionService } from './service.ts';

/** Undoing one's own deletions, and restoring those of everybody. */
export const deletionRoutes =
  (deletions: DeletionService): FastifyPluginAsyncTypebox =>
  async (app) => {
    const path = '/api/admin/deletions';

    app.post('/api/deletions/undo', {
      config: { access: 'user' },
      schema: {
        tags: ['deletions'],
        summary: 'Undo a deletion of the last minutes',
        description:
          "By who deleted it, within ten minutes. It has its id again, and what was deleted with it is restored: a course's lessons and the progress in them, a class's members and sessions. 404 where there is no such deletion of the caller.",
        body: UndoBody,
        response: { 200: RestoredSchema, ...errors(401, 403, 404, 409, 415) },
      },
      handler: (request) => deletions.undo(callerOf(request), request.body.kind, request.body.entity_id),
    });

    app.get(path, {
      config: { access: 'admin' },
      schema: {
        tags: ['admin'],
        summary: 'What was deleted in the last days and can be restored, the newest first',
        description: 'For `DELETED_DAYS`. Notes in lessons are not listed: only their users can restore them.',
        querystring: PageQuery,
        response: { 200: Type.Array(DeletionSchema), ...errors(401, 403) },
      },
      handler: async (request, reply) => await readPage(request, reply, (page) => deletions.list(page)),
    });

    app.post(`${path}/:id/restore`, {
      config: { access: 'admin' },
      schema: {
        tags: ['admin'],
        summary: 'Restore what was deleted',
        description:
          'Under the ids that it had, with what was deleted with it. 409 `restore_conflict`: something else has its name or its place; `restore_parent_deleted`: what it belongs to is deleted.',
        params: IdParams,
        response: { 200: RestoredSchema, ...errors(401, 403, 404, 409) },
      },
      handler: (request) => deletions.restore(callerOf(request), request.params.id),
    });

    app.delete(`${path}/:id`, {
      config: { access: 'admin' },
      schema: {
        tags: ['admin'],
        summary: 'Delete it for good',
        params: IdParams,
        response: { 200: Done, ...errors(401, 403, 404) },
      },
      handler: async (request) =>
        await done(deletions.discard(callerOf(request), request.params.id), 'Deleted for good'),
    });
  };
