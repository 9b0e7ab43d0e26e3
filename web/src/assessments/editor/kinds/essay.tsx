import { ByPeople } from './file.tsx';
import type { EditedKind } from './task-kind.ts';

/** A text in Markdown. */
export const essay: EditedKind = { Fields: ByPeople, problems: () => ({}) };
