import { createContext } from 'react';

/** Types commands into a terminal beside the text. Without one, as in a preview, blocks of code have no run button. */
export const RunContext = createContext<((commands: string) => void) | undefined>(undefined);
