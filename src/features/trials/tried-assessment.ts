import { pick } from '../../entities/fields.ts';
import { taskDefaults } from '../../entities/task.ts';
import { found } from '../../errors.ts';
import { lineFeedsIn } from '../../values/line-feeds.ts';
import type { Changes, TrialAssessment } from './store.ts';

export const hasChanges = ({ fields = {}, tasks = [], new_tasks = [] }: Changes): boolean =>
  Object.keys(fields).length + tasks.length + new_tasks.length > 0;

/**
 * The assessment as it would be with the changes. The first new task has the id -1, the next one -2.
 * @throws NotFoundError for a task of another assessment
 */
export function changed(assessment: TrialAssessment, changes: Changes): TrialAssessment {
  // As they would be stored.
  const [tasks, new_tasks] = [changes.tasks?.map(lineFeedsIn) ?? [], changes.new_tasks?.map(lineFeedsIn) ?? []];
  for (const { id } of tasks) {
    found(
      assessment.tasks.find((task) => task.id === id),
      'Task',
    );
  }
  const { container_image, user, setup_script, is_sequential } = {
    ...assessment,
    ...lineFeedsIn(changes.fields ?? {}),
  };
  return {
    ...assessment,
    ...{ container_image, user, setup_script, is_sequential },
    tasks: [
      ...assessment.tasks.map((task) => ({ ...task, ...tasks.findLast(({ id }) => id === task.id) })),
      ...new_tasks.map((task, index) => ({
        ...pick(taskDefaults, ['verdict', 'solution_script', 'setup_script']),
        ...task,
        id: -1 - index,
      })),
    ],
  };
}
