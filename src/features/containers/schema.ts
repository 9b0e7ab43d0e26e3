import { Type } from 'typebox';
import type { Role, StopReason } from '../../database/tables.ts';
import { Id, Nullable, NullableTimestamp, OneOf, Timestamp } from '../../http/protocol/schemas.ts';

/** The fields of every container, for all who may see it. */
export const ContainerFields = {
  id: Type.Integer(),
  name: Type.String(),
  user_id: Type.Integer(),
  kind: OneOf('sandbox', 'exam', 'laboratory'),
  image: Type.String(),
  template_id: Nullable(Type.Integer()),
  status: OneOf('creating', 'running', 'stopped', 'failed'),
  created_at: Timestamp,
  started_at: NullableTimestamp,
  stopped_at: NullableTimestamp,
  stop_reason: Type.Unsafe<StopReason | null>({
    type: ['string', 'null'],
    enum: ['idle', 'room', 'disk', 'exam', null],
    description:
      'Why it was stopped, unless its user did: `idle`: nobody used it; `room`: nobody used it and capacity was needed; `disk`: its disk was full; `exam`: its user takes an exam that allows no sandboxes.',
  }),
  expires_at: NullableTimestamp,
  replaced_at: {
    ...NullableTimestamp,
    description: 'When it last replaced a container whose machine was lost; null: never.',
  },
  home_kept_at: {
    ...NullableTimestamp,
    description: 'The time of the home folder that it began with then; null: no files were kept.',
  },
};

/** A container as its user sees it. */
export const ContainerSchema = Type.Object(
  {
    ...ContainerFields,
    kept_when_stopped: Type.Unsafe<'all' | 'home'>({
      type: 'string',
      enum: ['all', 'home'],
      description: 'What is left of it when it is stopped: all files, or those of the home folder only.',
    }),
  },
  { title: 'Container' },
);

export const LimitsSchema = Type.Object(
  { sandboxes: Type.Integer({ description: 'Sandboxes that a user can have at a time, stopped ones included.' }) },
  { title: 'ContainerLimits' },
);

export const CreateBody = Type.Object(
  { template_id: Type.Optional(Nullable(Id)) },
  { title: 'NewSandbox', 'x-optional': true },
);

/** The minimum role of a template. */
export const MinimumRole = Type.Unsafe<Role>({
  type: 'string',
  enum: ['student', 'instructor', 'admin'],
  description: 'Users below this role neither see the template nor create sandboxes from it.',
});

export const TemplateSchema = Type.Object(
  {
    id: Type.Integer(),
    name: Type.String(),
    slug: Type.String(),
    description: Type.String(),
    image: Type.String(),
    has_internet: Type.Boolean(),
    memory_mb: Type.Integer(),
    cpus: Type.Number(),
    order_index: Type.Integer(),
    is_active: Type.Boolean(),
    minimum_role: MinimumRole,
  },
  { title: 'SandboxTemplate' },
);
