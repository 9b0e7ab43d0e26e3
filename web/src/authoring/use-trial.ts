import { useEffect, useRef, useState } from 'react';
import { Problem } from '../api/problem.ts';
import { useStrings } from '../strings/use-strings.tsx';
import { useToasts } from '../ui/toasts.tsx';
import { callsOf, type Trial } from './subject-calls.ts';
import { IncompleteDraft, type SubjectEditor, type TaskIds } from './use-subject-editor.ts';

type Refusal = { title: string; problem: string };

export type TrialState =
  | { status: 'none' }
  | { status: 'running'; isPublishing: boolean }
  | { status: 'stopped' }
  | { status: 'done'; report: Trial; milliseconds: number }
  | { status: 'refused'; refusals: Refusal[]; milliseconds: number }
  | { status: 'failed'; error: unknown };

export type TrialRun = ReturnType<typeof useTrial>;

/** Tries scripts on fresh containers, saved first, and publishes what stands that; one at a time, given up when the page is left. */
export function useTrial(editor: SubjectEditor) {
  const t = useStrings();
  const toasts = useToasts();
  const { kind, saved, draft, isDirty, save, refresh } = editor;
  const [state, setState] = useState<TrialState>({ status: 'none' });
  const stop = useRef<AbortController>(undefined);
  useEffect(() => () => stop.current?.abort(), []);

  const saveFirst = async (): Promise<TaskIds> =>
    isDirty ? await save() : new Map(draft.tasks.map(({ key, id }) => [key, id]));

  const run = async (isPublishing: boolean, taskKey?: string): Promise<void> => {
    let ids: TaskIds;
    try {
      ids = await saveFirst();
    } catch (error) {
      if (error instanceof IncompleteDraft) toasts.tell(t.authoring.subject.correctFirst);
      else toasts.failed(error);
      return;
    }
    const controller = new AbortController();
    stop.current = controller;
    setState({ status: 'running', isPublishing });
    const begin = performance.now();
    const { try: attempt, publish } = callsOf[kind];
    try {
      const taskId = taskKey === undefined ? undefined : ids.get(taskKey);
      const report = isPublishing
        ? await publish(saved.id, controller.signal)
        : await attempt(saved.id, taskId, controller.signal);
      setState({ status: 'done', report, milliseconds: performance.now() - begin });
      if (!isPublishing) return;
      await refresh();
      toasts.done(t.authoring.subject.published(saved.title));
    } catch (error) {
      const milliseconds = performance.now() - begin;
      const refusals = refusalsOf(
        error,
        draft.tasks.map(({ title }) => title.trim()),
      );
      if (controller.signal.aborted) setState({ status: 'stopped' });
      else if (refusals) setState({ status: 'refused', refusals, milliseconds });
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

/**
 * The tasks that a refused publication names, each with its sentence: the service puts them into one, "... its trial failed: TITLE: PROBLEM; ...".
 * @param titles in the order of the tasks
 */
function refusalsOf(error: unknown, titles: readonly string[]): Refusal[] | undefined {
  if (!(error instanceof Problem) || error.status !== 409) return undefined;
  const mark = 'its trial failed: ';
  const start = error.message.indexOf(mark);
  if (start < 0) return undefined;
  const rest = error.message.slice(start + mark.length);
  const found: { title: string; from: number }[] = [];
  let cursor = 0;
  for (const title of titles) {
    const from = rest.indexOf(`${title}: `, cursor);
    // A title begins the list, or follows a problem; elsewhere it is a word in one.
    if (from !== 0 && rest.slice(from - 2, from) !== '; ') continue;
    found.push({ title, from });
    cursor = from + title.length;
  }
  if (found.length === 0) return undefined;
  return found.map(({ title, from }, index) => {
    const end = (found[index + 1]?.from ?? rest.length + 2) - 2;
    return { title, problem: rest.slice(from + title.length + 2, end) };
  });
}
