import { Type } from 'typebox';
import { ErrorBody, Nullable } from '../../http/schemas.ts';
import { opponents } from './opponent-program.ts';
import { problemCodes } from './trial.ts';

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
    opponents: Type.Array(
      Type.Object({ opponent: Type.Enum([...opponents]), ...Verdict.properties }, { title: 'OpponentRun' }),
      {
        description:
          'The check on a container where nothing is solved, against a student who kills or stops its processes, replaces files while it runs, answers what /proc shows, or answers with nothing; it has to fail. Empty where the check passed at first.',
      },
    ),
    problem: Nullable(Type.String({ description: 'What is wrong, in a sentence.' })),
    problem_code: Type.Unsafe<(typeof problemCodes)[number] | null>({
      type: ['string', 'null'],
      enum: [...problemCodes, null],
      description: 'The same in a stable word, for clients to decide by.',
    }),
  },
  { title: 'TaskTrial' },
);

export const TrialReportSchema = Type.Object(
  { is_ok: Type.Boolean(), tasks: Type.Array(TaskTrial) },
  { title: 'TrialReport' },
);

export const TrialRefusal = Type.Object(
  {
    ...ErrorBody.properties,
    report: Type.Optional(TrialReportSchema),
  },
  {
    title: 'TrialRefusal',
    description: 'Why nothing was published; `trial_failed` comes with the report of the trial.',
  },
);
