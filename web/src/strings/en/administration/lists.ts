/** What several lists of administrators have. */
export const lists = {
  user: 'User',
  name: 'Name',
  role: 'Role',
  state: 'State',
  active: 'Active',
  inactive: 'Inactive',
  created: 'Created',
  lastLogin: 'Last login',
  never: 'never',
  csvSave: 'Save as CSV',
};
