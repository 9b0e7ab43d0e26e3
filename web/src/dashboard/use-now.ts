import { useQuery } from '@tanstack/react-query';
import { activeQuery } from '../attempts/active.ts';
import { sessionsQuery } from '../teaching-model/session-list.ts';

/** The user's running attempts, and the exams that are open to the user and not begun. */
export function useNow() {
  const { data: sessions = [] } = useQuery(sessionsQuery());
  const { data: exams = [] } = useQuery({ ...activeQuery('exam'), refetchOnMount: false });
  const { data: laboratories = [] } = useQuery({ ...activeQuery('laboratory'), refetchOnMount: false });
  const open = sessions
    .filter(({ my_role, attempts_left, state }) => my_role === 'student' && attempts_left !== 0 && state === 'open')
    .filter(({ exam_id }) => exams.every(({ assessment_id }) => assessment_id !== exam_id))
    .toReversed();
  return { open, hasRunning: exams.length + laboratories.length > 0 };
}
