import { Type } from 'typebox';
import { PageQuery } from '../../http/lists/paging.ts';
import { Id, NullableTimestamp, Timestamp } from '../../http/protocol/schemas.ts';

export const DeadlineSchema = Type.Object(
  {
    class_id: Type.Integer(),
    class_name: Type.String(),
    laboratory_id: Type.Integer(),
    title: Type.String({ description: 'Of the laboratory.' }),
    due_at: Timestamp,
    passed_at: Type.Unsafe<Date | null>({
      ...NullableTimestamp,
      description: 'When the caller passed the laboratory for the first time.',
    }),
  },
  { title: 'LaboratoryDeadline' },
);
export const DeadlineParams = Type.Object({ id: Id, laboratory_id: Id });
export const DeadlineBody = Type.Object(
  { due_at: Type.String({ format: 'date-time' }) },
  { title: 'LaboratoryDeadlineBody' },
);
export const OwnDeadlineQuery = Type.Object({ laboratory_id: Type.Optional(Id), ...PageQuery.properties });
