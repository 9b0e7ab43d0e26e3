import { dropDraft, keepDraft, keptDraft } from '../api/drafts.ts';

/** A text that is not saved yet, and the revision that it is based on. */
export type TextDraft = { revision: number; text: string };

const nameOf = (fileId: number): string => `written-lesson-${fileId}`;

/**
 * Keeps a text of the user in this browser until it is saved or the user logs out, so that neither a reload nor a lost connection loses it.
 * Null: there is none any more.
 */
export function keepText(fileId: number, draft: TextDraft | null): void {
  if (draft === null) dropDraft(nameOf(fileId));
  else keepDraft(nameOf(fileId), draft, `${draft.revision}`);
}

/** The text of an earlier visit. */
export const keptText = (fileId: number): TextDraft | undefined => keptDraft<TextDraft>(nameOf(fileId))?.values;
