import { Type } from 'typebox';
import { Id, Nullable, NullableTimestamp, OneOf, Timestamp } from '../../http/schemas.ts';

export const ContainerSchema = Type.Object(
  {
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
    expires_at: NullableTimestamp,
  },
  { title: 'Container' },
);

export const CreateBody = Type.Object({ template_id: Type.Optional(Nullable(Id)) }, { 'x-optional': true });

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
  },
  { title: 'SandboxTemplate' },
);
