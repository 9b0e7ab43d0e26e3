import type { SubjectState } from '../attempts/revision-store.ts';
import type { Subject } from './store.ts';

/** The results for a subject, which comes from a cache, by the ids of the states. */
const known = new WeakMap<Subject, Map<number, Subject>>();

/** A subject as it was when an attempt started. What concerns the catalogue only, such as its course, is as it is now. */
export function asAtStart(subject: Subject, state: SubjectState): Subject {
  const ofStates = known.get(subject) ?? new Map<number, Subject>();
  known.set(subject, ofStates);
  const shown = ofStates.get(state.id) ?? merge(subject, state);
  ofStates.set(state.id, shown);
  return shown;
}

function merge(subject: Subject, state: SubjectState): Subject {
  const { container_image, time_limit_minutes, passing_score, max_score, is_sequential } = state;
  const { title, description, introduction, conclusion, setup_script, tasks } = state.content;
  return {
    ...subject,
    ...{ title, description, introduction, conclusion, setup_script },
    ...{ container_image, time_limit_minutes, passing_score, max_score, is_sequential },
    tasks: tasks.map((task) => ({ ...task, slug: null })),
    task_count: tasks.length,
  };
}
