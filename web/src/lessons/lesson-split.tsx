import type { ReactNode } from 'react';
import { useStrings } from '../strings/use-strings.tsx';
import { SplitView } from '../ui/split-view.tsx';
import { BesideLesson } from './beside-lesson.tsx';
import type { LessonTerminal } from './use-lesson-terminal.ts';

/** The text, and the terminal beside or below it while it is open. */
export function LessonSplit({ text, terminal }: { text: ReactNode; terminal: LessonTerminal }) {
  const t = useStrings();
  return (
    <SplitView
      name="lesson"
      label={t.common.moveBorder}
      first={text}
      {...(terminal.isOpen ? { second: <BesideLesson terminal={terminal} /> } : {})}
    />
  );
}
