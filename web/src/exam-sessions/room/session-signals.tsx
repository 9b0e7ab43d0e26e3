import { useQuery } from '@tanstack/react-query';
import { api } from '../../api/client.ts';
import { ok } from '../../api/problem.ts';
import { SignalList } from '../../attempts/signals.tsx';
import { useStrings } from '../../strings/use-strings.tsx';
import { AttemptLink } from '../../teaching-model/person-link.tsx';
import { Empty, Fetched } from '../../ui/states.tsx';

/** The signals of the attempts of a session that have ended, with those whose commands are alike. */
export function SessionSignals({ id }: { id: number }) {
  const { signals: words } = useStrings();
  const query = useQuery({
    queryKey: ['session signals', id],
    queryFn: ({ signal }) => ok(api.GET('/api/exam-sessions/{id}/signals', { params: { path: { id } }, signal })),
  });
  return (
    <section className="flex flex-col gap-3">
      <h2 className="text-lg font-semibold">{words.title}</h2>
      <p className="text-sm text-ink-soft">{words.staffHelp}</p>
      <Fetched query={query}>
        {(rows) =>
          rows.length === 0 ? (
            <Empty title={words.none} />
          ) : (
            <ul className="grid grid-cols-1 gap-3 md:grid-cols-2">
              {rows.map(({ alike, ...row }) => (
                <li key={row.attempt_id} className="panel flex flex-col gap-2 p-3">
                  <StudentLink {...row} />
                  <SignalList signals={row} />
                  {alike.length > 0 && (
                    <div className="text-sm">
                      <p>{words.alike}</p>
                      <ul className="list-disc pl-5">
                        {alike.map((other) => (
                          <li key={other.attempt_id}>
                            <StudentLink {...other} /> ({other.percent} %)
                          </li>
                        ))}
                      </ul>
                    </div>
                  )}
                </li>
              ))}
            </ul>
          )
        }
      </Fetched>
    </section>
  );
}

const StudentLink = (of: { attempt_id: number; username: string; full_name: string | null }) => (
  <AttemptLink id={of.attempt_id} className="font-medium text-accent hover:underline">
    {of.full_name || of.username}
  </AttemptLink>
);
