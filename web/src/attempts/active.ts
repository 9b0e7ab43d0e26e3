import { queryOptions } from '@tanstack/react-query';
import { type Answer, api } from '../api/client.ts';
import type { Kind } from '../api/kinds.ts';
import { ok } from '../api/problem.ts';

type ApiAttempt = Answer<'/api/exams/attempts/{id}/results'>;
/** Only attempts of exams have a session. */
export type OfSession = {
  session_id?: number | null;
  paused_at?: string | null;
  break_ends_at?: string | null;
  break_seconds_left?: number | null;
  is_ended_by_staff?: boolean;
  ended_by?: string | null;
  messages?: ApiAttempt['messages'];
};
export type Attempt = Omit<ApiAttempt, 'exam_id' | keyof OfSession> & OfSession & { assessment_id: number | null };

/** Attempts of both kinds differ in the name of one API field. */
type Named = { exam_id?: number | null; laboratory_id?: number | null };
export const withAssessment = <Row extends Named>({ exam_id, laboratory_id, ...row }: Row) => ({
  ...row,
  assessment_id: exam_id ?? laboratory_id ?? null,
});

/** At most one exam attempt, or a list of laboratory attempts. */
async function active(kind: Kind, signal: AbortSignal): Promise<Attempt[]> {
  if (kind === 'laboratory')
    return (await ok(api.GET('/api/laboratories/attempts/active', { signal }))).map(withAssessment);
  // Each page asks, mostly for nothing: browsers log every 404 as an error.
  const params = { query: { is_optional: true } };
  const attempt = await ok(api.GET('/api/exams/attempts/active', { params, signal }));
  return attempt ? [withAssessment(attempt)] : [];
}

/** The user's unfinished attempts: at most one of exams, and one of each laboratory. */
export const activeQuery = (kind: Kind) =>
  queryOptions({ queryKey: ['attempts', kind, 'active'], queryFn: ({ signal }) => active(kind, signal) });
