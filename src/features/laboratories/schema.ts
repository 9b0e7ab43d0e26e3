import { Type } from 'typebox';
import { Nullable } from '../../http/schemas.ts';
import { startedProperties, subjectProperties, taskProperties } from '../attempts/schema.ts';

export const TaskSchema = Type.Object({ ...taskProperties, hint: Type.String() }, { title: 'LaboratoryTask' });

export const LaboratorySchema = Type.Object(
  {
    ...subjectProperties,
    time_limit_minutes: Nullable(Type.Integer({ description: 'Null: none.' })),
    section_id: Nullable(Type.Integer()),
    tasks: Type.Array(TaskSchema),
  },
  { title: 'Laboratory' },
);

export const StartedSchema = Type.Object(
  { laboratory_id: Type.Integer(), ...startedProperties },
  { title: 'StartedLaboratory' },
);
