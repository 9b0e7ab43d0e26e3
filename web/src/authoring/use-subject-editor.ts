import { useQueryClient } from '@tanstack/react-query';
import { useEffect, useRef, useState } from 'react';
import type { Kind } from '../api/kinds.ts';
import { useStrings } from '../strings/use-strings.tsx';
import {
  changesOf,
  type Draft,
  draftOf,
  type SettingsDraft,
  settingsFields,
  type TaskDraft,
  taskFields,
} from './draft.ts';
import { type DraftProblems, hasProblems, noProblems, problemsOf, refusedFields } from './draft-problems.ts';
import { callsOf, type Subject } from './subject-calls.ts';
import { subjectQuery } from './subject-queries.ts';

export type SubjectEditor = ReturnType<typeof useSubjectEditor>;

/** The ids of the tasks by their keys in the draft. */
export type TaskIds = Map<string, number | undefined>;

/** A field of the draft must be corrected before it can be saved. */
export class IncompleteDraft extends Error {}

let lastKey = 0;

/** The editor's state for an exam or a laboratory: the saved version, the draft, and the actions that save it. */
export function useSubjectEditor(kind: Kind, saved: Subject) {
  const t = useStrings();
  const client = useQueryClient();
  const calls = callsOf[kind];
  const [draft, setDraft] = useState<Draft>(() => draftOf(saved));
  const [problems, setProblems] = useState<DraftProblems>(noProblems);
  const [isSaving, setSaving] = useState(false);
  const current = useRef(draft);
  useEffect(() => {
    current.current = draft;
  }, [draft]);
  const changes = changesOf(kind, draft, saved);
  const isDirty = changes.hasSettings || changes.tasks.length > 0 || changes.hasOrder;

  const changeTasks = (change: (tasks: readonly TaskDraft[]) => readonly TaskDraft[]): void =>
    setDraft((before) => ({ ...before, tasks: change(before.tasks) }));
  const seen = (subject: Subject): void => {
    client.setQueryData(subjectQuery(kind, subject.id).queryKey, subject);
    // Lists here and on students' pages are out of date now. The edited item is the one that was just stored.
    void client.invalidateQueries({ predicate: ({ queryKey }) => queryKey[2] !== subject.id });
  };
  const refresh = async (): Promise<Subject> => {
    const fresh = await calls.get(saved.id);
    seen(fresh);
    return fresh;
  };

  /** Sends the changes, tasks before their order. Where a part is refused, the earlier parts are saved. */
  const send = async (given: Draft): Promise<TaskIds> => {
    const ids: TaskIds = new Map(given.tasks.map(({ key, id }) => [key, id]));
    const { hasSettings, tasks, hasOrder } = changesOf(kind, given, saved);
    let taskKey: string | undefined;
    try {
      if (hasSettings) await calls.update(saved.id, settingsFields(kind, given.settings));
      for (const task of tasks) {
        taskKey = task.key;
        if (task.id === undefined) ids.set(task.key, (await calls.addTask(saved.id, taskFields(task))).id);
        else await calls.updateTask(saved.id, task.id, taskFields(task));
      }
      taskKey = undefined;
      const order = given.tasks.flatMap(({ key }) => ids.get(key) ?? []);
      if (hasOrder && order.length > 1) await calls.orderTasks(saved.id, order);
      return ids;
    } catch (error) {
      setProblems(refusedFields(t, error, taskKey));
      throw error;
    } finally {
      changeTasks((all) => all.map((task) => ({ ...task, id: task.id ?? ids.get(task.key) })));
      // The user sees the original error, not a failure of this refresh.
      await refresh().catch(() => {});
    }
  };

  return {
    kind,
    saved,
    draft,
    problems,
    changes,
    isDirty,
    isSaving,
    changeSettings: (fields: Partial<SettingsDraft>) =>
      setDraft((before) => ({ ...before, settings: { ...before.settings, ...fields } })),
    changeTask: (key: string, fields: Partial<TaskDraft>) =>
      changeTasks((tasks) => tasks.map((task) => (task.key === key ? { ...task, ...fields } : task))),
    addTask: (): string => {
      lastKey += 1;
      const key = `new-${lastKey}`;
      const empty = { title: '', description: '', points: '1', hint: '', solution_script: '' };
      changeTasks((tasks) => [
        ...tasks,
        { ...empty, key, id: undefined, verification_script: t.authoring.task.newScript },
      ]);
      return key;
    },
    /** A saved task is deleted at once. */
    removeTask: async ({ key, id }: TaskDraft): Promise<void> => {
      if (id !== undefined) await calls.removeTask(saved.id, id);
      changeTasks((tasks) => tasks.filter((task) => task.key !== key));
      if (id !== undefined) await refresh();
    },
    moveTask: (from: number, to: number) =>
      changeTasks((tasks) => {
        const moved = tasks[from];
        if (!moved || to < 0 || to >= tasks.length) return tasks;
        return tasks.toSpliced(from, 1).toSpliced(to, 0, moved);
      }),
    /** @throws IncompleteDraft, Problem; the invalid fields show their problems */
    save: async (): Promise<TaskIds> => {
      const given = current.current;
      const incomplete = problemsOf(kind, given, t);
      setProblems(incomplete);
      if (hasProblems(incomplete)) throw new IncompleteDraft();
      setSaving(true);
      return await send(given).finally(() => setSaving(false));
    },
    discard: () => {
      setDraft(draftOf(saved));
      setProblems(noProblems);
    },
    refresh,
  };
}
