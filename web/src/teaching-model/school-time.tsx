import { useQuery } from '@tanstack/react-query';
import { useFormat, useStrings } from '../strings/use-strings.tsx';
import { schoolZoneQuery } from './exam-sessions.ts';

/** A window in the time zone of the school, where it is not that of the reader at these times. */
export function SchoolTime({ opens, closes }: { opens: string; closes: string }) {
  const t = useStrings();
  const format = useFormat();
  const { data: zone } = useQuery(schoolZoneQuery);
  if (!zone) return null;
  const [from, until] = [format.timeIn(opens, zone), format.timeIn(closes, zone)];
  if (from === format.time(opens) && until === format.time(closes)) return null;
  return <span>{t.examSessions.schoolTime(zone, t.examSessions.window(from, until))}</span>;
}
