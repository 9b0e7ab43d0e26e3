import type { AttemptKind } from '../../database/tables.ts';

export type KindRules = {
  /** As messages call it. */
  name: string;
  /** With its article. */
  one: string;
  /** As in paths and in the API document. */
  plural: 'exams' | 'laboratories';
  /**
   * A laboratory is for practice: a start resumes its active attempt, and a check grades without ending it. Students find it
   * through its section. An exam is started once, one at a time, from a list.
   */
  isPractice: boolean;
};

/** What the service does differently for exams and for laboratories; columns are in database/, bodies in the schema. */
export const kinds: Readonly<Record<AttemptKind, KindRules>> = {
  exam: { name: 'Exam', one: 'an exam', plural: 'exams', isPractice: false },
  laboratory: { name: 'Laboratory', one: 'a laboratory', plural: 'laboratories', isPractice: true },
};
