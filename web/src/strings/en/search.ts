/** The search. */
export const search = {
  nothingFits: 'Nothing matches the filters',
  clearFilters: 'Clear the filters',
  title: 'Search',
  label: 'Search for',
  placeholder: 'Words, or "a phrase"',
  help: 'The arrow keys select a result, and Enter opens it. Pages are found by their names as well, such as “plan an exam”.',
  results: 'Results',
  found: (count: number) => (count === 0 ? 'Nothing was found' : count === 1 ? '1 result' : `${count} results`),
  kinds: {
    command: 'Pages and actions',
    opened: 'Opened last',
    lesson: 'Lessons',
    laboratory: 'Laboratories',
    exam: 'Exams',
    note: 'Your notes',
    user: 'Users',
    attempt: 'Attempts',
  },
};
