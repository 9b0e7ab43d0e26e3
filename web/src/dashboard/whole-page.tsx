import { useIsFetching, useQueryClient } from '@tanstack/react-query';
import { createContext, type ReactNode, Suspense, useContext, useEffect, useLayoutEffect, useState } from 'react';
import { Loading } from '../ui/states.tsx';
import { statsQuery } from './queries.ts';

/** Milliseconds after which the page is shown without what is still missing. */
const patience = 3000;
/** Queries without an answer, of any part of the page. */
const unanswered = { predicate: ({ state }: { state: { status: string } }) => state.status === 'pending' };

type Count = (change: 1 | -1) => void;
const Waiting = createContext<Count>(() => {});

/**
 * Shows its parts together, once each has its script and its data: parts that appear one after the other would move those below them under
 * the reader's eyes.
 */
export function WholePage({ children }: { children: (isShown: boolean) => ReactNode }) {
  const client = useQueryClient();
  // On the way back to it, the page has its data.
  const [isShown, setShown] = useState(() => client.getQueryData(statsQuery.queryKey) !== undefined);
  const [scripts, setScripts] = useState(0);
  const [count] = useState((): Count => (change) => setScripts((before) => before + change));
  const fetching = useIsFetching(unanswered);
  // The effects of the parts, which begin their requests, run before this one.
  useEffect(() => {
    if (scripts === 0 && fetching === 0 && client.isFetching(unanswered) === 0) setShown(true);
  }, [scripts, fetching, client]);
  useEffect(() => {
    const timer = setTimeout(() => setShown(true), patience);
    return () => clearTimeout(timer);
  }, []);
  return (
    <Waiting value={count}>
      {!isShown && <Loading rows={6} className="h-24" />}
      <div hidden={!isShown} className={isShown ? 'contents' : undefined}>
        {children(isShown)}
      </div>
    </Waiting>
  );
}

/** A part of the page whose script is loaded after the page. */
export const Part = ({ children }: { children: ReactNode }) => <Suspense fallback={<Awaited />}>{children}</Suspense>;

function Awaited(): ReactNode {
  const count = useContext(Waiting);
  useLayoutEffect(() => {
    count(1);
    return () => count(-1);
  }, [count]);
  return null;
}
