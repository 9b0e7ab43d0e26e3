import type { Revision } from '../attempts/revision-store.ts';
import type { AssessmentWithTasks } from './store.ts';

/** The results for an assessment, which comes from a cache, by the ids of the states. */
const known = new WeakMap<AssessmentWithTasks, Map<number, AssessmentWithTasks>>();

/** An assessment as it was when an attempt started. What concerns the catalogue only, such as its course, is as it is now. */
export function asAtStart(assessment: AssessmentWithTasks, state: Revision): AssessmentWithTasks {
  const ofStates = known.get(assessment) ?? new Map<number, AssessmentWithTasks>();
  known.set(assessment, ofStates);
  const shown = ofStates.get(state.id) ?? merge(assessment, state);
  ofStates.set(state.id, shown);
  return shown;
}

function merge(assessment: AssessmentWithTasks, state: Revision): AssessmentWithTasks {
  const { container_image, time_limit_minutes, passing_score, max_score, is_sequential } = state;
  const { title, description, introduction, conclusion, setup_script, tasks } = state.content;
  return {
    ...assessment,
    ...{ title, description, introduction, conclusion, setup_script },
    ...{ container_image, time_limit_minutes, passing_score, max_score, is_sequential },
    tasks: tasks.map((task) => ({ ...task, slug: null })),
    task_count: tasks.length,
  };
}
