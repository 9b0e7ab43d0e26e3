/** Containers of all users. */
export const containers = {
  containersLead: 'Containers of all users.',
  container: 'Container',
  kind: 'Kind',
  kinds: { sandbox: 'Sandbox', exam: 'Exam', laboratory: 'Laboratory' },
  status: 'Status',
  statuses: { creating: 'Being created', running: 'Running', stopped: 'Stopped', failed: 'Failed' },
  owner: 'Owner',
  ends: 'Ends',
  deleteContainerHelp: 'Everything in it is lost, and open terminals are disconnected. This cannot be undone.',
  ofAttempt: 'deleted with its attempt',
  noContainersTitle: 'There are no containers',
  noContainersHelp: 'They appear here when a user starts one.',
};
