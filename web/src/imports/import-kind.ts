import type { ReactNode } from 'react';

/** What is imported, and where. */
export type ImportKind<Result> = {
  /** The path of the service that takes the file. The one of its check is below it. */
  path: string;
  /** Further parameters of both. */
  query?: Readonly<Record<string, string>>;
  texts: {
    title: string;
    lead: string;
    help: string;
    /** The label of the text in place of a file. */
    text: string;
    example: string;
    action: string;
  };
  /** The queries that the import changes. */
  changes: readonly (string | number)[];
  /** What the dialog shows after the import. Undefined: it closes. */
  result?: (
    result: Result,
    onDone: () => void,
  ) => {
    title: string;
    description: string;
    content: ReactNode;
    /** Asks before it closes. */
    isShownOnce?: boolean;
  };
  onImported?: (result: Result) => void;
};
