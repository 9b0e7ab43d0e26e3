import { type TObject, Type } from 'typebox';
import type { AttemptKind } from '../../database/tables.ts';
import { NewExam, NewLaboratory } from '../../entities/assessment.ts';
import { NewExamTask, NewLaboratoryTask } from '../../entities/task.ts';
import { capitalised } from '../../errors.ts';
import { Id } from '../../http/protocol/schemas.ts';

/** Changes of an exam or a laboratory that a trial includes. The order of tasks and retirement have routes of their own. */
function changesOf(kind: AttemptKind, assessment: TObject, task: TObject) {
  const name = capitalised(kind);
  const properties = {
    fields: Type.Optional(
      Type.Object(Type.Partial(Type.Omit(assessment, ['is_active'])).properties, {
        title: `Changed${name}`,
        description: `Fields of the ${kind}. Omitted fields are unchanged.`,
      }),
    ),
    tasks: Type.Optional(
      Type.Array(
        Type.Object(
          { ...Type.Partial(Type.Omit(task, ['order_index'])).properties, id: Id },
          { title: `Changed${name}Task`, description: 'Omitted fields are unchanged.' },
        ),
        { maxItems: 1000 },
      ),
    ),
    new_tasks: Type.Optional(
      Type.Array(Type.Object(Type.Omit(task, ['order_index']).properties, { title: `New${name}Task` }), {
        maxItems: 1000,
        description: 'They are appended. In the report the first one has the `task_id` -1, the next one -2.',
      }),
    ),
  };
  return {
    Tried: Type.Unsafe<object>(Type.Object(properties, { title: `${name}Changes`, 'x-optional': true })),
    Published: Type.Unsafe<object>(Type.Object(properties, { title: `${name}Publication`, 'x-optional': true })),
  };
}

export const changes = {
  exam: changesOf('exam', NewExam, NewExamTask),
  laboratory: changesOf('laboratory', NewLaboratory, NewLaboratoryTask),
};
