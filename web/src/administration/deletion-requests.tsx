import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { useFormat, useStrings } from '../strings/use-strings.tsx';
import { deletionRequestsQuery } from './queries.ts';

/** Users who want their account to be deleted, where there are any. Their pages delete them. */
export function DeletionRequests() {
  const t = useStrings();
  const format = useFormat();
  const { data = [] } = useQuery(deletionRequestsQuery);
  if (data.length === 0) return null;
  return (
    <section className="rounded-md bg-warn-soft px-4 py-3 text-sm">
      <h2 className="font-medium">{t.administration.deletionRequests}</h2>
      <ul>
        {data.map(({ user_id, username, full_name, requested_at }) => (
          <li key={user_id}>
            <Link
              to="/administration/users/$userId"
              params={{ userId: `${user_id}` }}
              className="font-medium text-accent underline"
            >
              {full_name || username}
            </Link>
            , {format.time(requested_at)}
          </li>
        ))}
      </ul>
    </section>
  );
}
