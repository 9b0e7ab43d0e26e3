import { Type } from 'typebox';
import { Id, Nullable } from '../../http/schemas.ts';

const Title = Type.String({ minLength: 1, maxLength: 200 });
const Prose = Type.String({ maxLength: 100_000 });

/** Bash, run as the student when the task is tried; null takes it away. */
export const Solution = Nullable(Type.String({ minLength: 1, maxLength: 262_144 }));

export const TimeLimit = Type.Integer({ minimum: 1, maximum: 1440 });

/** What administrators give for an exam as for a laboratory. */
export const subjectFields = {
  title: Title,
  description: Type.Optional(Prose),
  container_image: Type.String({ minLength: 1, maxLength: 500, pattern: '^[a-z0-9][A-Za-z0-9._/:@-]*$' }),
  passing_score: Type.Integer({ minimum: 0, maximum: 1_000_000, description: 'In points.' }),
};

/** And for a task of either. */
export const taskFields = {
  title: Title,
  description: Type.Optional(Prose),
  points: Type.Integer({ minimum: 0, maximum: 10_000 }),
  verification_script: Type.String({
    minLength: 1,
    maxLength: 262_144,
    description: 'Bash; its last line is PASS or FAIL.',
  }),
  solution_script: Type.Optional(Solution),
  order_index: Type.Optional(Type.Integer({ minimum: 0, maximum: 1_000_000 })),
};

export const TaskOrder = Type.Object({
  task_ids: Type.Array(Id, { maxItems: 1000, description: 'Each task, once.' }),
});
