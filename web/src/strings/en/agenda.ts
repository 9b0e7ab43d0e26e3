/** Results, deadlines and planned exams, by date. */
export const agenda = {
  title: 'Agenda',
  exam: 'Exam',
  laboratory: 'Laboratory',
  graded: (kind: string) => `${kind} graded`,
  more: (count: number) => `${count} more`,
};
