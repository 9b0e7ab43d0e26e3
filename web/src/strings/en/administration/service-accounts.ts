/** Accounts of programs. */
export const serviceAccounts = {
  serviceAccounts: {
    title: 'Service accounts',
    show: 'All service accounts',
    lead: 'Accounts of the school’s programs. Their tokens stay valid when the administrator who made them leaves.',
    add: 'Add a service account',
    noneTitle: 'No service accounts',
    noneHelp: 'Add one for a program that is to read or change data of the school, such as a timetable.',
    name: 'Program',
    nameHelp: 'The log shows this name for all that the program does.',
    roleHelp: 'What the program may do at most. Each of its tokens permits a part of it.',
    tokens: 'Tokens',
    tokensOf: (name: string) => `Tokens of ${name}`,
    noTokens: 'It has no tokens.',
    lastUsed: 'Last used',
    never: 'never',
    delete: (name: string) => `End ${name}`,
    deleteTitle: 'End this service account?',
    deleteHelp: 'Its tokens are deleted, and programs that use them are refused. What it has made stays.',
  },
};
