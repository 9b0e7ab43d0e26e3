import { useEffect, useState } from 'react';

const key = 'lesson-terminal';

/** The terminal beside the lessons of a tab, and the sandbox that the user has chosen for lessons with a template. */
export type KeptTerminal = { isOpen: boolean; choice: { templateId: number | null; id: number } | undefined };

const closed: KeptTerminal = { isOpen: false, choice: undefined };

function read(): KeptTerminal {
  try {
    return { ...closed, ...JSON.parse(sessionStorage.getItem(key) ?? '{}') };
  } catch {
    return closed;
  }
}

/** State that a reload of the tab keeps. */
export function useKeptTerminal() {
  const [kept, setKept] = useState(read);
  useEffect(() => {
    try {
      sessionStorage.setItem(key, JSON.stringify(kept));
    } catch {
      // It is closed after a reload then.
    }
  }, [kept]);
  return [kept, setKept] as const;
}
