import { type Static, Type } from 'typebox';
import { kindOf, ownFields, shownToStudent, TaskKindSchema } from '../../../entities/task-kinds/kinds.ts';
import { Nullable, NullableTimestamp } from '../../../http/protocol/schemas.ts';
import type { Revision } from '../revision-store.ts';
import type { AnswerRow } from './store.ts';

type Task = Revision['content']['tasks'][number];

/** Characters of a text. */
export const maxAnswerText = 100_000;

const parts = {
  choice_ids: Type.Array(Type.Integer(), {
    maxItems: 50,
    uniqueItems: true,
    description: 'The ids of the chosen choices.',
  }),
  text: Type.String({ maxLength: maxAnswerText, description: 'The answer, or the text in Markdown.' }),
};
/** One of them, by the kind of the task. */
export const AnswerBody = Type.Object(Type.Partial(Type.Object(parts)).properties, {
  ...{ title: 'AnswerFields', 'x-optional': true },
});
export type AnswerBody = Static<typeof AnswerBody>;

export const AnswerSchema = Type.Object(
  {
    task_id: Type.Integer(),
    kind: TaskKindSchema,
    title: Type.String(),
    choices: Type.Optional(
      Type.Array(Type.Object({ id: Type.Integer(), text: Type.String() }), {
        description: 'Of a `choice`, in the order in which the attempt shows them.',
      }),
    ),
    unit: Type.Optional(Type.String({ description: 'Of an `answer`.' })),
    choice_ids: Nullable(parts.choice_ids),
    text: Nullable(Type.String()),
    file: Nullable(
      Type.Object(
        { name: Type.String(), bytes: Type.Integer() },
        {
          description:
            'Its content is at `.../answers/{task_id}/file`, for those who grade at `/api/instructor/grading/{key}/file`.',
        },
      ),
    ),
    saved_at: { ...NullableTimestamp, description: 'Null: not answered.' },
    right_answer: Type.Optional(
      Type.Object(
        {
          choice_ids: Type.Optional(Type.Array(Type.Integer(), { description: 'The ids of the right choices.' })),
          accepted: Type.Optional(Type.Array(Type.String(), { description: 'One of them is enough.' })),
          tolerance: Type.Optional(Type.Number({ description: 'How far a number may be from an accepted one.' })),
        },
        {
          description:
            'Of a `choice` or an `answer`. Staff see it always; students once they see the results, where `solution_visible` of the task shows its solution.',
        },
      ),
    ),
  },
  { title: 'Answer' },
);

/** An answer in the API's format, with what its task shows for it. @param isRightShown whether the right answer is shown as well */
export function toAnswer(
  attemptId: number,
  task: Task,
  row: AnswerRow | undefined,
  isRightShown: boolean,
): Static<typeof AnswerSchema> {
  const { right } = kindOf(task);
  const { choices, unit } = shownToStudent(task, `${attemptId}`);
  return {
    ...{ task_id: task.id, kind: task.kind, title: task.title },
    ...(choices && { choices }),
    ...(unit === undefined ? {} : { unit }),
    ...{ choice_ids: row?.choice_ids ?? null, text: row?.text ?? null },
    file: row?.file_name == null ? null : { name: row.file_name, bytes: row.file_bytes ?? 0 },
    saved_at: row?.saved_at ?? null,
    ...(isRightShown && right ? { right_answer: right(ownFields(task)) } : {}),
  };
}
