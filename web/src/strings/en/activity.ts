export const activity = {
  title: 'Activity',
  empty: 'Nothing here yet',
  emptyHelp: 'Lessons that you complete and exams that you take are listed here.',
  more: 'Show more',
  types: {
    lesson_complete: (title: string) => `Completed the lesson “${title}”`,
    exam_start: (title: string) => `Started the exam “${title}”`,
    exam_submit: (title: string) => `Submitted the exam “${title}”`,
    exam_expire: (title: string) => `The time of the exam “${title}” ran out`,
    exam_abandon: (title: string) => `Gave up the exam “${title}”`,
    laboratory_start: (title: string) => `Started the laboratory “${title}”`,
    laboratory_submit: (title: string) => `Submitted the laboratory “${title}”`,
    laboratory_expire: (title: string) => `The time of the laboratory “${title}” ran out`,
    laboratory_abandon: (title: string) => `Gave up the laboratory “${title}”`,
    container_create: (title: string) => `Created the machine ${title}`,
    container_delete: (title: string) => `Deleted the machine ${title}`,
    container_full: (title: string) => `The machine ${title} was stopped because its disk was full`,
    container_yield: (title: string) =>
      `The machine ${title} was stopped because nobody used it and its resources were needed. Its files are kept`,
    container_evict: (title: string) =>
      `The machine ${title} was deleted because there were too many and it had been stopped the longest`,
    container_replace: (title: string) =>
      `The server of the machine ${title} failed. The machine was replaced, with its home folder as last saved`,
    register: () => 'Joined the platform',
    passkey_add: (name: string) => `You added the passkey ${name}`,
    passkey_remove: (name: string) => `You removed the passkey ${name}`,
    second_factor_set_up: () => 'You set up a second factor',
    second_factor_remove: () => 'You removed the second factor',
    second_factor_recovery: () => 'A recovery code was used to log in',
    admin_second_factor_reset: () => 'An administrator reset your second factor',
    student_view: (name: string) => `${name} looked at your pages`,
  },
};
