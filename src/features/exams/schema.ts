import { Type } from 'typebox';
import { Nullable } from '../../http/schemas.ts';
import { startedProperties, subjectProperties, taskProperties } from '../attempts/schema.ts';

export const TaskSchema = Type.Object(taskProperties, { title: 'ExamTask' });

export const ExamSchema = Type.Object(
  {
    ...subjectProperties,
    time_limit_minutes: Type.Integer(),
    course_id: Nullable(Type.Integer()),
    order_index: Type.Integer(),
    tasks: Type.Array(TaskSchema),
  },
  { title: 'Exam' },
);

export const StartedSchema = Type.Object({ exam_id: Type.Integer(), ...startedProperties }, { title: 'StartedExam' });
