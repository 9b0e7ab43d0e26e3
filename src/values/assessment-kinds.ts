/** The two kinds of assessments, with the words in their paths. */
export const assessmentKinds = [
  { kind: 'exam', plural: 'exams' },
  { kind: 'laboratory', plural: 'laboratories' },
] as const;
