import { Type } from 'typebox';
import { Nullable, OneOf } from '../../http/protocol/schemas.ts';
import { RemarkProperties } from '../grading/schema.ts';
import { opponents } from './opponent-program.ts';
import { problemCodes, setupProblemCodes } from './problem-codes.ts';

const Verdict = Type.Object({
  passed: Type.Boolean(),
  part: Type.Optional(
    Type.Object(
      {
        earned: Type.Integer({ description: 'From 0 to `of`.' }),
        of: Type.Integer({ description: 'All that can be earned, from 1 to 999,999.' }),
      },
      { description: 'What its `SCORE` line gives. Absent without one, or without partial credit.' },
    ),
  ),
  output: Type.String(),
  ...RemarkProperties,
});

const TaskTrial = Type.Object(
  {
    task_id: Type.Integer(),
    title: Type.String(),
    values: Nullable(
      Type.Record(Type.String(), Type.String(), {
        description:
          'The values of its parameters. A task with parameters is tried with those of up to ten attempts, until one has a problem. Null without parameters.',
      }),
    ),
    first: Type.Object(Verdict.properties, {
      description:
        'The check in a new container, or the grading of a wrong answer. It must fail. Tasks that people grade are not tried.',
    }),
    partial: Nullable(
      Type.Object(Verdict.properties, {
        description: 'The check after the partial solution. Null without partial credit.',
      }),
    ),
    solution: Nullable(
      Type.Object({
        exit_status: Nullable(Type.Integer({ description: 'Null if it did not end in time.' })),
        output: Type.String({ description: 'The end of what it printed in a terminal, as plain text.' }),
      }),
    ),
    after: Nullable(
      Type.Object(Verdict.properties, {
        description: "The check after the task's solution, or the grading of a right answer.",
      }),
    ),
    opponents: Type.Array(
      Type.Object({ opponent: Type.Enum([...opponents]), ...Verdict.properties }, { title: 'OpponentRun' }),
      {
        description:
          'The check in a container where nothing is solved, against a student who kills or stops its processes, replaces files while it runs, answers with words from /proc, answers with nothing, or, where the image grants root, traces its processes as root. It must fail. Empty if the check passed at first.',
      },
    ),
    problem: Nullable(Type.String({ description: 'The problem in one sentence.' })),
    problem_code: Type.Unsafe<(typeof problemCodes)[number] | null>({
      type: ['string', 'null'],
      enum: [...problemCodes, null],
      description: 'The problem as a stable code for clients.',
    }),
  },
  { title: 'TaskTrial' },
);

export const TrialReportSchema = Type.Object(
  {
    is_ok: Type.Boolean(),
    problem: Nullable(Type.String({ description: 'What is wrong with it as a whole, in one sentence.' })),
    problem_code: Type.Unsafe<'no_tasks' | null>({
      type: ['string', 'null'],
      enum: ['no_tasks', null],
      description: 'The problem of the whole as a stable code. `no_tasks`: every attempt ends with 0 of 0 points.',
    }),
    setup: Nullable(
      Type.Object(
        {
          problem: Type.String({ description: 'The problem in one sentence.' }),
          problem_code: OneOf(...setupProblemCodes),
          exit_status: Type.Optional(Type.Integer({ description: 'Of the script; for `failed`.' })),
          seconds: Type.Optional(Type.Number({ description: 'For all set-up scripts together; for `timeout`.' })),
          output: Type.String({ description: 'The end of its output.' }),
        },
        { title: 'SetupProblem', description: 'Why the set-up failed. Then nothing else was tried.' },
      ),
    ),
    tasks: Type.Array(TaskTrial),
  },
  { title: 'TrialReport' },
);
