import { queryOptions, useQuery } from '@tanstack/react-query';
import { type Answer, api } from '../api/client.ts';
import { ok } from '../api/problem.ts';
import { useStrings } from '../strings/use-strings.tsx';
import { sessionQuery } from '../teaching-model/exam-sessions.ts';

type Signals = Omit<Answer<'/api/instructor/attempts/{id}/signals'>, 'has_signals'>;

const signalsQuery = (id: number, isStaff: boolean) =>
  queryOptions({
    queryKey: ['signals', id, isStaff],
    queryFn: ({ signal }) => {
      const options = { params: { path: { id } }, signal };
      return ok(
        isStaff
          ? api.GET('/api/instructor/attempts/{id}/signals', options)
          : api.GET('/api/exams/attempts/{id}/signals', options),
      );
    },
  });

/** What was counted during an attempt, in words. Nothing where its session has no signals. */
export function AttemptSignals({ attemptId, isStaff = false }: { attemptId: number; isStaff?: boolean }) {
  const { signals: words } = useStrings();
  const { data } = useQuery(signalsQuery(attemptId, isStaff));
  if (!data?.has_signals) return null;
  return (
    <section className="flex flex-col gap-2">
      <h2 className="text-lg font-semibold">{words.title}</h2>
      <p className="text-sm text-ink-soft">{isStaff ? words.staffHelp : words.ownHelp}</p>
      <SignalList signals={data} />
    </section>
  );
}

/** The signals of an attempt, each explained. */
export function SignalList({ signals }: { signals: Signals }) {
  const { signals: words } = useStrings();
  const { first_key_seconds, pastes, longest_paste, networks, commands } = signals;
  return (
    <ul className="flex list-disc flex-col gap-1 pl-5 text-sm">
      <li>{words.firstKey(first_key_seconds === null ? null : Math.round(first_key_seconds))}</li>
      <li>{words.pastes(pastes, longest_paste)}</li>
      <li>{words.networks(networks)}</li>
      <li>{words.commands(commands)}</li>
    </ul>
  );
}

/** Reminds a student during an attempt of what is counted. */
export function SignalsNote({ sessionId }: { sessionId: number }) {
  const { signals: words } = useStrings();
  const { data } = useQuery({ ...sessionQuery(sessionId), staleTime: Number.POSITIVE_INFINITY });
  return data?.has_signals ? <p className="px-4 py-1 text-xs text-ink-soft">{words.notice}</p> : null;
}
