import type { ReactNode } from 'react';
import type { UseFormReturn } from 'react-hook-form';
import type { Strings } from '../../../strings/en/index.ts';
import type { Draft, TaskDraft } from '../draft.ts';

export type FieldsProps = { form: UseFormReturn<Draft>; task: TaskDraft; index: number };

/** How tasks of a kind are edited. Their fields are in `kindFields` of draft.ts. */
export type EditedKind = {
  Fields: (props: FieldsProps) => ReactNode;
  /** The texts of problems by their fields, before the service is asked. */
  problems: (task: TaskDraft, t: Strings) => Partial<Record<keyof TaskDraft, string | undefined>>;
};
