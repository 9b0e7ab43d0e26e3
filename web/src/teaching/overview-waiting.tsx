import { useQuery } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import { useUser } from '../api/use-session.ts';
import { RoomLink } from '../exam-sessions/room/room-link.tsx';
import { Link } from '../routing/link.tsx';
import { useFormat, useStrings } from '../strings/use-strings.tsx';
import type { Overview } from '../teaching-model/overview.ts';
import { OverviewRow, rowLink } from './overview-row.tsx';
import { missingFileCountQuery } from './queries.ts';

/** What an instructor has to do, as entries of a list. */
export function useWaiting({ results_to_release, failed_gradings, failed_trials }: Overview): ReactNode[] {
  const t = useStrings();
  const words = t.teaching.overview;
  const format = useFormat();
  const isAdmin = useUser().role === 'admin';
  // The repository may not be reachable, which its own page shows.
  const { data: missing = 0 } = useQuery({ ...missingFileCountQuery, enabled: isAdmin });
  return [
    ...results_to_release.map(({ id, title, class_id, class_name, closes_at, attempts }) => (
      <OverviewRow
        key={`session ${id}`}
        link={
          <RoomLink session={{ id, class_id }} className={rowLink}>
            {words.release(title)}
          </RoomLink>
        }
      >
        {[class_name, words.attempts(attempts), words.closed(format.ago(closes_at))].filter(Boolean).join(' · ')}
      </OverviewRow>
    )),
    ...failed_gradings.map(({ attempt_id, title, username, full_name }) => (
      <OverviewRow
        key={`attempt ${attempt_id}`}
        link={
          <Link to="/teaching/attempts/$attemptId" params={{ attemptId: `${attempt_id}` }} className={rowLink}>
            {words.notGraded(full_name || username)}
          </Link>
        }
      >
        {title}
      </OverviewRow>
    )),
    ...failed_trials.map(({ kind, id, title, tried_at }) => (
      <OverviewRow
        key={`${kind} ${id}`}
        link={
          <Link
            to={kind === 'exam' ? '/administration/exams/$assessmentId' : '/administration/laboratories/$assessmentId'}
            params={{ assessmentId: `${id}` }}
            className={rowLink}
          >
            {words.failedTrial(title)}
          </Link>
        }
      >
        {[t.teaching.kinds[kind], format.ago(tried_at)].join(' · ')}
      </OverviewRow>
    )),
    ...(missing > 0
      ? [
          <OverviewRow
            key="missing"
            link={
              <Link to="/administration/courses" className={rowLink}>
                {words.missing(missing)}
              </Link>
            }
          >
            {words.missingHelp}
          </OverviewRow>,
        ]
      : []),
  ];
}
