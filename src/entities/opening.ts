import { type Static, Type } from 'typebox';
import { NullableTimestamp } from '../http/protocol/schemas.ts';

/** What one part of a course can wait for. */
export const maxAwaited = 20;

/** When a section, an exam or a laboratory opens for students: from a time on, and once all that it waits for is complete. */
export const openingFields = {
  opens_at: {
    ...NullableTimestamp,
    description: 'Closed for students before this time; null: none. A class can have a time of its own instead.',
  },
  opens_after: Type.Array(Type.String({ pattern: '^(section|theme|laboratory|exam):[1-9][0-9]{0,9}$' }), {
    maxItems: maxAwaited,
    uniqueItems: true,
    description:
      'What a student completes first, such as `section:3` (all of its lessons), `theme:5`, `laboratory:7` (passed) and `exam:9` (passed, with results that the student sees), all of the same course. What was deleted, is hidden from students or has left the course is not waited for.',
  }),
};
export type OpeningFields = Static<Type.TObject<typeof openingFields>>;

export const openingColumns = ['opens_at', 'opens_after'] as const;
export const openingDefaults = { opens_at: null, opens_after: [] as string[] } as const;
