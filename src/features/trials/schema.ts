import { Type } from 'typebox';
import { Nullable } from '../../http/schemas.ts';

const Verdict = Type.Object({ passed: Type.Boolean(), output: Type.String() });

const TaskTrial = Type.Object(
  {
    task_id: Type.Integer(),
    title: Type.String(),
    first: Type.Object(Verdict.properties, { description: 'The check on a pristine container; it has to fail.' }),
    solution: Nullable(
      Type.Object({
        exit_status: Nullable(Type.Integer({ description: 'Null: it did not end by itself in its time.' })),
        output: Type.String({ description: "What the student's terminal showed." }),
      }),
    ),
    after: Nullable(Type.Object(Verdict.properties, { description: "The check after the task's solution." })),
    problem: Nullable(Type.String({ description: 'What is wrong, in a sentence.' })),
  },
  { title: 'TaskTrial' },
);

export const TrialReportSchema = Type.Object(
  { is_ok: Type.Boolean(), tasks: Type.Array(TaskTrial) },
  { title: 'TrialReport' },
);
