/** What is counted during exams whose session has signals. */
export const signals = {
  title: 'Signals',
  notice:
    'During this exam the service counts long pastes into terminals, the networks you work from, the time to your first key, and how alike commands are in the class. People look at it; it changes no grade. You can read it with your results.',
  staffHelp: 'Hints to look closer, at the recording for example. They prove nothing, and change no grade.',
  ownHelp: 'What was counted during your attempt. It changes no grade, and what you typed was not kept.',
  firstKey: (seconds: number | null) =>
    seconds === null
      ? 'Nothing was typed in a terminal.'
      : `The first key was pressed in a terminal after ${seconds} s.`,
  pastes: (count: number, longest: number) =>
    count === 0
      ? 'No long paste into a terminal.'
      : `Long pastes into terminals: ${count}, the longest of ${longest} characters. Input that waited for a lost connection counts too.`,
  networks: (count: number) =>
    count === 0
      ? 'No terminal was opened.'
      : count === 1
        ? 'The terminals were opened from one network.'
        : `The terminals were opened from ${count} networks. Another device or a mobile network is one, too.`,
  commands: (count: number) => `Commands entered: ${count}.`,
  alike: 'Half or more of the commands, in this order, are the same as those of (the same tasks make commands alike):',
  none: 'No attempt in which a terminal was opened has ended yet',
};
