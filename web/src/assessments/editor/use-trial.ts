import { useEffect, useRef, useState } from 'react';
import { useStrings } from '../../strings/use-strings.tsx';
import { useToasts } from '../../ui/toasts.tsx';
import { callsOf, reportOfRefusal, type TaskTrial, type Trial } from './assessment-calls.ts';
import { hasChangedChecks, publicationOf, scriptsOf } from './draft.ts';
import { type AssessmentEditor, IncompleteDraft, type TaskIds } from './use-editor.ts';

export type TrialState =
  | { status: 'none' }
  | { status: 'running'; isPublishing: boolean }
  | { status: 'stopped' }
  | { status: 'done'; report: Trial; milliseconds: number }
  | { status: 'refused'; refusals: TaskTrial[]; setup: Trial['setup']; milliseconds: number }
  | { status: 'failed'; error: unknown };

export type TrialRun = ReturnType<typeof useTrial>;

/**
 * Saves scripts, tries them on fresh containers, and publishes an assessment that passes. Runs one trial at a time, and cancels it when the
 * page is left.
 */
export function useTrial(editor: AssessmentEditor) {
  const t = useStrings();
  const toasts = useToasts();
  const { door, kind, saved, draft, form, isDirty, save, refresh } = editor;
  const [state, setState] = useState<TrialState>({ status: 'none' });
  const stop = useRef<AbortController>(undefined);
  useEffect(() => () => stop.current?.abort(), []);

  const saveFirst = async (): Promise<TaskIds> =>
    isDirty ? await save() : new Map(draft.tasks.map(({ key, id }) => [key, id]));

  const run = async (isPublishing: boolean, taskKey?: string): Promise<void> => {
    // A published assessment is not saved on the way: its new checks would grade attempts before anybody has agreed.
    const isLive = saved.is_active && hasChangedChecks(draft, saved);
    let ids: TaskIds;
    try {
      if (isLive && !(await form.trigger())) throw new IncompleteDraft();
      ids = isLive ? new Map(draft.tasks.map(({ key, id }) => [key, id])) : await saveFirst();
    } catch (error) {
      if (error instanceof IncompleteDraft) toasts.inform(t.authoring.assessment.correctFirst);
      else toasts.failed(error);
      return;
    }
    const controller = new AbortController();
    stop.current = controller;
    setState({ status: 'running', isPublishing });
    const begin = performance.now();
    const calls = callsOf(door, kind);
    try {
      const taskId = taskKey === undefined ? undefined : ids.get(taskKey);
      const task = isLive ? draft.tasks.find(({ key }) => key === taskKey) : undefined;
      const report = isPublishing
        ? await calls.publish(saved.id, controller.signal)
        : taskId === undefined
          ? await calls.try(saved.id, controller.signal, isLive ? publicationOf(kind, draft, saved) : undefined)
          : await calls.tryTask(saved.id, taskId, controller.signal, task && scriptsOf(task));
      setState({ status: 'done', report, milliseconds: performance.now() - begin });
      if (!isPublishing) return;
      await refresh();
      toasts.done(t.authoring.assessment.published(saved.title));
    } catch (error) {
      const milliseconds = performance.now() - begin;
      const report = await reportOfRefusal(door, kind, saved.id, error, controller.signal);
      if (controller.signal.aborted) setState({ status: 'stopped' });
      else if (report) setState({ status: 'refused', ...refusalsOf(report), milliseconds });
      else setState({ status: 'failed', error });
    }
  };

  return {
    state,
    isRunning: state.status === 'running',
    tryAll: () => void run(false),
    tryTask: (key: string) => void run(false, key),
    publish: () => void run(true),
    stop: () => stop.current?.abort(),
  };
}

/** The tasks with a problem, or the problem of the set-up, which prevented the publication. */
const refusalsOf = ({ tasks, setup }: Trial): { refusals: TaskTrial[]; setup: Trial['setup'] } => ({
  refusals: tasks.filter(({ problem_code }) => problem_code !== null),
  setup: setup ?? null,
});
