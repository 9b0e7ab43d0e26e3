/** How the installation presents itself. */
export const settings = {
  settingsLead: 'How this installation looks to everybody. Changes are visible immediately.',
  logo: 'Logo',
  logoHelp: 'PNG, JPEG, WebP or GIF up to 5 MiB, shown at the top of every page. A wide one is fine.',
  chooseLogo: 'Choose a logo',
  removeLogo: 'Remove the logo',
  look: 'Name and look',
  siteName: 'Name of the installation',
  accent: 'Accent colour',
  pickAccent: 'Pick the accent colour',
  accentHelp: 'For buttons and links. It is darkened or lightened where text in it could not be read.',
  accentShown: (light: string, dark: string) => `Shown as ${light} in the light theme and ${dark} in the dark one.`,
  welcome: 'Welcome text',
  welcomeHelp: 'Markdown, shown to visitors on the login, registration and front pages.',
  factorRoles: 'Who needs a second factor',
  factorRolesHelp:
    'Users of these roles set it up before they can do anything else. You are one of them as well, if you choose administrators.',
  publicCourses: 'Show the list of courses to visitors without an account',
  publicCoursesHelp:
    'Visitors see the titles of courses and lessons, but no texts. Courses for classes only stay hidden.',
  publicByOperator: 'Set by the environment: CATALOGUE_IS_OPEN.',
  privacy: {
    title: 'Privacy',
    settings: {
      has_recording_consent: 'Ask students before terminals of exams are recorded',
      has_kept_results: 'Keep results without a name when an account is deleted',
    },
    help: {
      has_recording_consent:
        'Who does not agree takes the exam all the same and is not recorded. Otherwise the terminals of all exams are recorded.',
      has_kept_results:
        'Ended attempts, points and grades stay under a pseudonym, so that grade books and statistics stay true. Otherwise all is deleted.',
    },
  },
  retention: {
    title: 'How long data is kept',
    lead: 'In days. Where a field is empty, the data is kept until its account is deleted. What is older is removed once a day.',
    forever: 'until the account is deleted',
    settings: {
      activity_days: 'Entries of the activity log',
      work_days: 'Work behind results, after the end of an attempt',
      account_days: 'Accounts of students without a login',
    },
    help: {
      activity_days: 'At least 30 days.',
      work_days:
        'Answers and files, outputs of checks, comments, reasons, recordings and evidence. Points and grades stay. Work that waits for a grading, a review or a regrade is kept until then. At least 30 days.',
      account_days:
        'Their users are notified 30 days before, and a login saves the account. Accounts with an open or planned exam stay, and those of staff. At least 180 days.',
    },
    set: 'Set the days',
    confirm: 'Remove data that exists already?',
    due: {
      activity: (count: number) => `Entries of the activity log: ${count}`,
      work: (count: number) => `Attempts of which only the results will be left: ${count}`,
      accounts: (count: number) =>
        `Accounts that are notified now, and deleted in 30 days unless there is a login: ${count}`,
    },
    final: 'It happens within a day and cannot be undone.',
  },
  byEnvironment: 'Set by the environment',
  byEnvironmentHelp: 'Only the operator of the service can change these, with the variable below each of them.',
  variables: {
    REGISTRATION: 'Who may register',
    REGISTRATION_DOMAINS: 'Domains for registration',
    CATALOGUE_IS_OPEN: 'List of courses is public',
    ANONYMOUS_CATALOGUE: 'API readable without an account',
    INSTRUCTOR_SCOPE: 'Students that instructors see',
    SMTP_URL: 'Mail server',
    MAIL_SENDER: 'Sender of mails',
    SCHOOL_TIME_ZONE: 'Time zone of the school',
    RECORDING_DAYS: 'Days that recordings are kept',
    EVIDENCE_DAYS: 'Days that evidence of attempts is kept',
    DELETED_DAYS: 'Days to restore what was deleted',
    NOTIFICATION_DAYS: 'Days that notifications are kept',
  },
  variableValues: {
    true: 'yes',
    false: 'no',
    open: 'anybody',
    domain: 'addresses of listed domains',
    code: 'with a registration code',
    closed: 'nobody',
    all: 'all',
    classes: 'those of their classes',
  },
};
