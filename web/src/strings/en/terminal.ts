export const terminal = {
  label: 'Terminal',
  states: {
    connecting: 'Connecting',
    open: 'Connected',
    reconnecting: 'Connection lost. Reconnecting',
    waiting: 'The container has stopped. Waiting for it to start again',
    ended: 'The shell has ended.',
    gone: 'This container no longer exists, or its time is up.',
    notRunning: 'The container is not running.',
    notFound: 'There is no such container, or nobody has a terminal open in it.',
    tooMany: 'Too many terminals are open. Close one, then try again.',
    forbidden: 'This page is not allowed to open terminals here.',
    watchedOnly: 'You are watching. Keys that you type are not sent.',
    takenOver: 'This terminal was opened in another window or on another device.',
  },
  resumed: 'Resumed where you left off',
  watched: 'An instructor is watching this terminal',
  diskNearlyFull: 'The disk of this machine is nearly full. Delete files, or the machine will be stopped.',
  diskFull: 'This machine was stopped because its disk was full.',
  newShell: 'The previous shell has ended. This is a new one.',
  screenLost: 'The service lost its copy of this screen. Your shell keeps running.',
  replaced: (keptAt: string | undefined) =>
    keptAt === undefined
      ? 'The server of this machine failed. The machine was replaced. No files were kept.'
      : `The server of this machine failed. The machine was replaced. Your home folder was restored as of ${keptAt}. Other changes are lost.`,
  openNew: 'Open a new shell',
  takeBack: 'Use it here',
  find: 'Find in the terminal',
  findNext: 'Next match',
  findPrevious: 'Previous match',
  fontLarger: 'Larger text',
  fontSmaller: 'Smaller text',
  /** Keyboard users must be able to leave the terminal, which uses the Tab key itself (WCAG 2.1.2). */
  leave: 'Ctrl+Shift+Down leaves the terminal',
  secondsLeft: (seconds: number) => (seconds >= 60 ? `${Math.round(seconds / 60)} min left` : `${seconds} s left`),
  screenReader: 'For screen readers: read the output aloud',
  notFound: 'Not found',
};
