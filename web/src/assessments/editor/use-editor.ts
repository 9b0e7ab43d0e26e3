import { useQueryClient } from '@tanstack/react-query';
import { useEffect, useState } from 'react';
import { type FieldErrors, type Resolver, type UseFormReturn, useFieldArray, useForm, useWatch } from 'react-hook-form';
import type { Kind } from '../../api/kinds.ts';
import type { Strings } from '../../strings/en/index.ts';
import { useStrings } from '../../strings/use-strings.tsx';
import { useDoor } from '../../teaching-model/door.ts';
import { setRefused } from '../../ui/forms/form-field.ts';
import { useDraft } from '../../ui/forms/use-draft.ts';
import { type Assessment, callsOf } from './assessment-calls.ts';
import {
  changesOf,
  type Draft,
  draftOf,
  emptyTask,
  newKey,
  numberOf,
  pointsToPass,
  publicationOf,
  rebased,
  settingsFields,
  type TaskDraft,
  taskFields,
} from './draft.ts';
import { editedKinds } from './kinds/task-kinds.ts';
import { assessmentQuery } from './queries.ts';
import { type TaskTemplate, taskTemplates } from './task-templates.ts';

export type AssessmentEditor = ReturnType<typeof useAssessmentEditor>;

/** The ids of the tasks by their keys in the draft. */
export type TaskIds = Map<string, number | undefined>;

/** A field of the draft must be corrected before it can be saved. */
export class IncompleteDraft extends Error {}

/** The form of an exam or a laboratory, and the functions that save its changes. */
export function useAssessmentEditor(kind: Kind, saved: Assessment) {
  const t = useStrings();
  const client = useQueryClient();
  const door = useDoor();
  const calls = callsOf(door, kind);
  const form = useForm<Draft>({
    defaultValues: draftOf(saved),
    resolver: draftResolver(kind, t),
    // The first problem may be in a task that is not shown: see useFirstProblemInView.
    shouldFocusError: false,
  });
  const { append, insert, move, remove } = useFieldArray({ control: form.control, name: 'tasks', keyName: 'fieldKey' });
  const draft = useWatch({ control: form.control }) as Draft;
  const [refusals, setRefusals] = useState(0);
  const changes = changesOf(kind, draft, saved);
  useFollowedPoints(form, draft);
  const isDirty = changes.hasSettings || changes.tasks.length > 0 || changes.hasOrder;

  const kept = useDraft<Draft>(`${kind}-${saved.id}`, {
    ...{ values: draft, base: draftOf(saved), isDirty },
    restore: (values) => form.reset(rebased(values, saved), { keepDefaultValues: true }),
  });

  const show = (assessment: Assessment): void => {
    client.setQueryData(assessmentQuery(door, kind, assessment.id).queryKey, assessment);
    // Other queries, such as lists, hold the previous values. This one was just set.
    void client.invalidateQueries({
      predicate: ({ queryKey }) => queryKey[2] !== assessment.id || queryKey.length > 3,
    });
  };
  const refresh = async (): Promise<Assessment> => {
    const fresh = await calls.get(saved.id);
    show(fresh);
    return fresh;
  };
  const indexOf = (key: string | undefined): number => form.getValues('tasks').findIndex((task) => task.key === key);

  /** Sends what has changed: settings, tasks, then their order. Where a part is refused, the parts before it are saved. */
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
      const part = taskKey === undefined ? 'settings' : (`tasks.${indexOf(taskKey)}` as const);
      setRefused(t, form, error, (name) => `${part}.${name}` as `settings.title`);
      setRefusals((count) => count + 1);
      throw error;
    } finally {
      for (const { key, id } of given.tasks) {
        if (id === undefined && indexOf(key) >= 0) form.setValue(`tasks.${indexOf(key)}.id`, ids.get(key));
      }
      // The user sees the error of the refused part, not a failure of this refresh.
      await refresh().catch(() => {});
    }
  };

  return {
    door,
    kind,
    saved,
    form,
    draft,
    changes,
    isDirty,
    /** Unsaved changes that the browser keeps. */
    kept,
    isSaving: form.formState.isSubmitting,
    /** Counts the failed attempts to save a draft. */
    refusals,
    addTask: (template?: TaskTemplate): string => {
      const key = newKey();
      const { name: _name, ...texts } = template ? t.authoring.taskTemplates[template] : { name: '' };
      const given = template ? { ...texts, ...taskTemplates[template] } : {};
      append({ ...emptyTask, key, verification_script: t.authoring.task.newScript, ...given }, { shouldFocus: false });
      return key;
    },
    /** A saved task is deleted immediately. @returns shows it again after its deletion was undone, with its unsaved changes */
    removeTask: async (task: TaskDraft): Promise<() => Promise<void>> => {
      if (task.id !== undefined) await calls.removeTask(saved.id, task.id);
      const index = indexOf(task.key);
      remove(index);
      if (task.id !== undefined) await refresh();
      return async () => {
        insert(index, task, { shouldFocus: false });
        await refresh();
      };
    },
    moveTask: (from: number, to: number): void => {
      if (from >= 0 && to >= 0 && Math.max(from, to) < draft.tasks.length) move(from, to);
    },
    /** @throws IncompleteDraft, Problem; the fields show their problems */
    save: async (): Promise<TaskIds> => {
      let ids: TaskIds | undefined;
      await form.handleSubmit(async (given) => {
        ids = await send(given);
      })();
      if (ids) return ids;
      setRefusals((count) => count + 1);
      throw new IncompleteDraft();
    },
    /**
     * Tries the draft of something published, and saves it if no problem is found.
     * @throws Problem
     */
    publish: async (signal: AbortSignal): Promise<void> => {
      const given = form.getValues();
      const { hasOrder } = changesOf(kind, given, saved);
      try {
        await calls.publish(saved.id, signal, publicationOf(kind, given, saved));
        const added = given.tasks.filter(({ id }) => id === undefined);
        const { tasks } = await calls.get(saved.id);
        const idOf = ({ id, key }: TaskDraft): number | undefined =>
          id ?? tasks.at(added.findIndex((task) => task.key === key) - added.length)?.id;
        const order = given.tasks.flatMap((task) => idOf(task) ?? []);
        for (const task of added) form.setValue(`tasks.${indexOf(task.key)}.id`, idOf(task));
        if (hasOrder && order.length > 1) await calls.orderTasks(saved.id, order);
      } finally {
        // Where the answer was lost, the changes may have been saved.
        await refresh().catch(() => {});
      }
    },
    discard: () => form.reset(draftOf(saved)),
    refresh,
  };
}

/** The points to pass follow the tasks until the author edits them. */
function useFollowedPoints({ setValue }: UseFormReturn<Draft>, draft: Draft): void {
  const { settings } = draft;
  const points = `${pointsToPass(draft)}`;
  const isBehind = settings.follows_tasks && settings.passing_score !== points;
  useEffect(() => {
    if (isBehind) setValue('settings.passing_score', points);
  }, [isBehind, points, setValue]);
}

/** Checks a draft by the limits of the service, before it is sent. */
const draftResolver =
  (kind: Kind, t: Strings): Resolver<Draft> =>
  (draft) => {
    const errors = problemsOf(kind, draft, t);
    return Object.keys(errors).length > 0 ? { values: {}, errors } : { values: draft, errors: {} };
  };

function problemsOf(kind: Kind, { settings, tasks }: Draft, t: Strings): FieldErrors<Draft> {
  const words = t.authoring.assessment;
  const required = (text: string) => (text.trim() === '' ? words.required : undefined);
  const whole = (text: string, from: number, to: number) =>
    /^-?\d+$/.test(text.trim()) && Number(text) >= from && Number(text) <= to ? undefined : words.wholeNumber(from, to);
  const image = settings.container_image.trim();
  const hasNoLimit = kind === 'laboratory' && settings.time_limit_minutes.trim() === '';
  const ofSettings = found({
    title: required(settings.title),
    container_image: required(image) ?? (/^[a-z0-9][A-Za-z0-9._/:@-]*$/.test(image) ? undefined : words.imageWrong),
    passing_score: whole(settings.passing_score, 0, 1_000_000),
    time_limit_minutes: hasNoLimit ? undefined : whole(settings.time_limit_minutes, 1, 1440),
    order_index: kind === 'exam' ? whole(settings.order_index, -1_000_000, 1_000_000) : undefined,
  });
  const ofTasks = tasks.map((task) =>
    found({
      title: required(task.title),
      points:
        /^\d+(?:[.,]\d{1,2})?$/.test(task.points.trim()) && numberOf(task.points) <= 10_000
          ? undefined
          : words.pointsFrom(0, 10_000),
      ...editedKinds[task.kind].problems(task, t),
    }),
  );
  return {
    ...(ofSettings ? { settings: ofSettings } : {}),
    ...(ofTasks.some(Boolean) ? { tasks: ofTasks } : {}),
  };
}

/** Only the fields with a problem; undefined if there are none. */
function found<Name extends string>(fields: Partial<Record<Name, string | undefined>>) {
  const problems = Object.entries<string | undefined>(fields).flatMap(([name, message]) =>
    message === undefined ? [] : [[name, { type: 'invalid', message }] as const],
  );
  return problems.length === 0
    ? undefined
    : (Object.fromEntries(problems) as Partial<Record<Name, { type: string; message: string }>>);
}
