import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox';
import { Type } from 'typebox';
import { byId, CursorQuery, cursorPageOf, setCursorHeaders } from '../../http/lists/paging.ts';
import { orderOf, sortQuery } from '../../http/lists/sorting.ts';
import { errors, Id, Nullable, Timestamp } from '../../http/protocol/schemas.ts';
import { statusesThat } from '../../values/attempt-status.ts';
import type { ActivityStore } from './activity-store.ts';

const Word = Type.String({ minLength: 1, maxLength: 100 });
const ListQuery = Type.Object({
  user_id: Type.Optional(Id),
  actor_id: Type.Optional(Id),
  type: Type.Optional(Word),
  entity_type: Type.Optional(Word),
  entity_id: Type.Optional(Id),
  ...sortQuery('created_at'),
  ...CursorQuery.properties,
});

const EntrySchema = Type.Object(
  {
    id: Type.Integer(),
    type: Type.String(),
    title: Type.String(),
    user_id: Nullable(Type.Integer({ description: 'The user whom the entry concerns.' })),
    username: Nullable(Type.String()),
    actor_id: Nullable(Type.Integer({ description: 'The user who acted.' })),
    actor_username: Nullable(Type.String()),
    entity_type: Nullable(Type.String()),
    entity_id: Nullable(Type.Integer()),
    details: Nullable(
      Type.Object(
        {},
        { additionalProperties: true, description: 'For administrative actions: `old` and `new` values.' },
      ),
    ),
    created_at: Timestamp,
  },
  { title: 'ActivityEntry' },
);

const Counts = (...names: string[]) => Type.Object(Object.fromEntries(names.map((name) => [name, Type.Integer()])));

const StatsSchema = Type.Object(
  {
    users: Counts('student', 'instructor', 'admin'),
    containers: Type.Object(Counts('sandbox', 'exam', 'laboratory', 'warm').properties, {
      description: 'Running containers by kind; `warm` containers wait for an attempt.',
    }),
    attempts: Counts(...statusesThat.isListed),
    activity_last_24_hours: Type.Record(Type.String(), Type.Integer(), {
      description: 'The newest 50,000 entries, counted by type.',
    }),
  },
  { title: 'ServiceStatistics' },
);

const zeros = (schema: { properties: object }, counts: Record<string, number>): Record<string, number> =>
  Object.fromEntries(Object.keys(schema.properties).map((name) => [name, counts[name] ?? 0]));

/** The activity of all users, and the state of the service. */
export const adminActivityRoutes =
  (activity: ActivityStore): FastifyPluginAsyncTypebox =>
  async (app) => {
    const tags = ['admin'];

    app.get('/api/admin/activity', {
      config: { access: 'admin' },
      schema: {
        tags,
        summary:
          'Activity of all users, including administrative actions, newest first or with `order=asc` oldest first',
        querystring: ListQuery,
        response: { 200: Type.Array(EntrySchema), ...errors(401, 403, 404) },
      },
      handler: async (request, reply) => {
        const { page: _page, page_size: _size, cursor: _cursor, sort: _sort, order: _order, ...filter } = request.query;
        const page = cursorPageOf(request, request.query);
        const { isDescending } = orderOf(request.query, { by: 'created_at', isDescending: true });
        const listed = await activity.list(filter, page, !isDescending);
        setCursorHeaders(request, reply, page, listed, byId);
        return listed.rows;
      },
    });

    app.get('/api/admin/stats', {
      config: { access: 'admin' },
      schema: {
        tags,
        summary: 'Counts of users, containers, attempts and activity',
        response: { 200: StatsSchema, ...errors(401, 403) },
      },
      handler: async () => {
        const stats = await activity.stats();
        return {
          users: zeros(StatsSchema.properties.users, stats.users),
          containers: zeros(StatsSchema.properties.containers, stats.containers),
          attempts: zeros(StatsSchema.properties.attempts, stats.attempts),
          activity_last_24_hours: stats.activity,
        };
      },
    });
  };
