/** The texts of mails. Each has a subject, paragraphs, and what the link says. */
export const en = {
  greeting: (name: string) => (name === '' ? 'Hello,' : `Hello ${name},`),
  fallback: 'If the button does not work, open this address:',
  product: 'Learning platform',
  /** Below mails that can be switched off. */
  optional: 'You choose which mails you get in your profile:',
  essential: 'You get this mail because of your account.',
  address: {
    subject: 'Confirm your e-mail address',
    lines: ({ until }: { until: string }) => [
      `Please confirm that this address is yours. Until then you get no other mails. The link works until ${until}.`,
      'If you have no account here, ignore this mail.',
    ],
    action: 'Confirm the address',
  },
  password: {
    subject: 'Set a new password',
    lines: ({ until }: { until: string }) => [
      `Somebody has asked for a new password for your account. The link works once, until ${until}. Your other logins end with it.`,
      'If it was not you, ignore this mail: your password stays as it is.',
    ],
    action: 'Set a new password',
  },
  invitation: {
    subject: 'Your account is ready',
    lines: ({ username, until }: { username: string; until: string }) => [
      `An account was created for you. Your username is ${username}.`,
      `Choose a password with the link below. It works once, until ${until}.`,
    ],
    action: 'Choose a password',
  },
  exam_planned: {
    subject: ({ title }: { title: string }) => `Exam planned: ${title}`,
    lines: ({ title, opens, closes }: { title: string; opens: string; closes: string }) => [
      `The exam "${title}" is planned for you.`,
      `It opens: ${opens}`,
      `It closes: ${closes}`,
    ],
    action: 'Open the exam',
  },
  exam_moved: {
    subject: ({ title }: { title: string }) => `Exam moved: ${title}`,
    lines: ({ title, opens, closes }: { title: string; opens: string; closes: string }) => [
      `The time of the exam "${title}" has changed.`,
      `It now opens: ${opens}`,
      `It now closes: ${closes}`,
    ],
    action: 'Open the exam',
  },
  results: {
    subject: ({ title }: { title: string }) => `Results: ${title}`,
    lines: ({ title }: { title: string }) => [`Your results of "${title}" can be seen now.`],
    action: 'Show the results',
  },
  feedback: {
    subject: ({ title }: { title: string }) => `Your review was answered: ${title}`,
    lines: ({ title }: { title: string }) => [`Your request for a review of "${title}" was answered.`],
    action: 'Read the answer',
  },
  hands: {
    subject: ({ count }: { count: number }) => (count === 1 ? 'A raised hand' : `${count} raised hands`),
    lines: ({ count }: { count: number }) => [
      count === 1 ? 'A student asks for help:' : `${count} students ask for help:`,
    ],
    action: 'Show the students',
  },
  account_deletion: {
    subject: 'Your account will be deleted',
    lines: ({ until }: { until: string }) => [
      `You have not logged in for a long time. Your account and what is stored with it will be deleted soon after ${until}.`,
      'Log in before then to keep it, or to download your data in your profile.',
    ],
    action: 'Log in',
  },
  test: {
    subject: 'Test mail',
    lines: () => ['An administrator has sent this mail to test the settings. Mail works.'],
    action: 'Open the platform',
  },
};

export type MailTexts = typeof en;
