/** The bell, its list, and the settings in the profile. */
export const notifications = {
  none: 'There are no notifications.',
  unread: 'unread',
  readAll: 'Mark all as read',
  toAnnouncements: 'All announcements',
  toSettings: 'Settings',
  texts: {
    exam_opens: (title: string, until: string) => `“${title}” is open until ${until}`,
    time_left: (title: string, minutes: number) =>
      `Less than ${minutes === 1 ? 'a minute' : `${minutes} minutes`} left: “${title}”`,
    more_time: (title: string, minutes: number) =>
      `You have ${minutes} more ${minutes === 1 ? 'minute' : 'minutes'}: “${title}”`,
    results: (title: string) => `The results of “${title}” are available`,
    deadline: (title: string, due: string) => `“${title}” is due ${due}`,
    announcement: (title: string) => `Announcement: ${title}`,
    supervision: (title: string) => `You were added as a supervisor: “${title}”`,
    hand: (name: string) => `${name} asks for help`,
    help: (name: string) => `${name} sees to your raised hand`,
    report: (title: string) => `A task of “${title}” was reported`,
    report_answer: (title: string) => `Your report on “${title}” was answered`,
    grade: (title: string) => `Somebody has looked at your result: “${title}”`,
    review: (name: string) => `${name} asks for a review of a result`,
    reopen: (name: string) => `${name} has submitted by mistake and asks for the attempt`,
    reopened: (title: string) =>
      `You have your attempt back: “${title}”. Programs that ran on the machine must be started again.`,
    reopen_declined: (title: string) => `Your attempt stays submitted: “${title}”`,
    webhook: (host: string) => `The webhook to ${host} is paused, because its deliveries failed`,
    account_deletion: (until: string) =>
      `You had not logged in for a long time, so your account was to be deleted on ${until}. Your login has kept it.`,
    evidence: (session: string) =>
      `The disk budget for evidence of attempts is used up: the oldest was deleted${session && `, of ${session} too`}`,
  },
  kindsHelp: 'You are notified when',
  kinds: {
    exam_opens: 'an exam opens',
    time_left: 'the time of an exam or a laboratory runs out',
    more_time: 'you get more time',
    results: 'results are available',
    deadline: 'a laboratory is due soon',
    announcement: 'there is an announcement',
    supervision: 'you are added as a supervisor of an exam session',
  },
  mailsHelp: 'You get a mail when',
  mails: {
    exam_planned: 'an exam is planned or moved',
    results: 'results are available',
    feedback: 'your request for a review was answered',
    hands: 'students raise their hands and nobody sees to them, at most once an hour',
  },
  unconfirmed: (address: string) =>
    `You have not confirmed ${address} yet, so these mails are not sent. The link came by mail.`,
  sendLinkAgain: 'Send the link again',
  linkSent: 'A mail with the link is on its way',
  browser: {
    on: 'This browser also shows notifications while you look at something else.',
    off: 'Notifications are shown on the pages only.',
    'not-asked': 'This browser can show notifications while you look at something else. It asks you first.',
    refused: 'This browser does not show notifications, because you have blocked them for this site.',
    unsupported: 'This browser cannot show notifications outside of the pages.',
  },
  browserOn: 'Show them in the browser',
  browserOff: 'Do not show them in the browser',
};
