import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox';
import { Type } from 'typebox';
import { errors, Nullable, NullableTimestamp, Timestamp } from '../../http/protocol/schemas.ts';
import type { SystemService } from './system-service.ts';

const Load = (description: string) =>
  Type.Object({ running: Type.Integer(), waiting: Type.Integer() }, { description });

const SystemSchema = Type.Object(
  {
    service: Type.Object({
      version: Type.String(),
      node_version: Type.String(),
      uptime_seconds: Type.Integer(),
      memory_bytes: Type.Integer(),
      processes: Type.Integer({ description: 'Of the service, on this database.' }),
    }),
    engine: Type.Object({
      is_reachable: Type.Boolean(),
      problem: Nullable(Type.String({ description: 'Why no containers are available.' })),
      name: Nullable(Type.String()),
      version: Nullable(Type.String()),
    }),
    database: Type.Object({ version: Type.String(), size_bytes: Type.Integer() }),
    backups: Type.Object(
      {
        last_at: NullableTimestamp,
        last_file: Nullable(Type.String({ description: 'On the machine on which it was created.' })),
        restore_tried_at: {
          ...NullableTimestamp,
          description: 'When the last backup that was tried in a trial was restored without a fault.',
        },
      },
      { description: '`npm run backup` and `npm run restore -- FILE --trial`, when they last succeeded. Null: never.' },
    ),
    disk: Type.Object(
      { total_bytes: Type.Integer(), free_bytes: Type.Integer() },
      { description: 'The disk of the data folder.' },
    ),
    warm_pool: Type.Object(
      { wanted: Type.Integer(), ready: Type.Integer() },
      { description: 'Containers created in advance for exams.' },
    ),
    grading: Load('Gradings.'),
    container_starts: Load('Containers that are being created.'),
    open_terminals: Type.Integer(),
    network_limits: Type.Array(
      Type.Object({
        network: Type.String({ description: 'An IPv4 /24 or an IPv6 /56.' }),
        limit_met: Type.String({
          description: '`logins`, `registrations`, `registration_codes`, `invitations`, `join_codes` or `requests`.',
        }),
        times: Type.Integer(),
        first_at: Timestamp,
        last_at: Timestamp,
      }),
      { description: 'The 20 networks that had to wait last, within a week. `PEOPLE_PER_ADDRESS` decides when.' },
    ),
  },
  { title: 'SystemState' },
);

/** The state of the service and its dependencies. */
export const adminSystemRoutes =
  (system: SystemService): FastifyPluginAsyncTypebox =>
  async (app) => {
    app.get('/api/admin/system', {
      config: { access: 'admin' },
      schema: {
        tags: ['admin'],
        summary: 'The state of the service, its engine, its database and its disk',
        description:
          'Uptime, memory, `grading`, `container_starts` and `open_terminals` are those of the process that responds.',
        response: { 200: SystemSchema, ...errors(401, 403) },
      },
      handler: async () => await system.state(),
    });
  };
