/** Of the task of the kind choice. */
export const choices = [
  { text: 'chmod', is_correct: true },
  { text: 'chown' },
  { text: 'umask', is_correct: true },
  { text: 'passwd' },
];
/** A task of each kind but the check. */
export const tasksOfKinds = {
  choice: { title: 'Choose', points: 4, kind: 'choice', choices, is_multiple: true, has_partial_credit: true },
  answer: {
    title: 'Compute',
    points: 2,
    kind: 'answer',
    accepted: ['42'],
    is_numeric: true,
    tolerance: 0.5,
    unit: 'GiB',
  },
  file: { title: 'Upload', points: 3, kind: 'file' },
  essay: { title: 'Explain', points: 5, kind: 'essay' },
} as const;
