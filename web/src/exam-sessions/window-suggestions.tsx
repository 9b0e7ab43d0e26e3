import { serverNow } from '../api/server-clock.ts';
import { useStrings } from '../strings/use-strings.tsx';
import { Button } from '../ui/button.tsx';
import { localTime } from '../ui/local-time.ts';

const suggestions = ['inAnHour', 'tomorrow', 'monday'] as const;
/** The hour at which lessons begin, in the user's zone. */
const morning = 9;
/** Minutes in which the students arrive. */
const arrival = 15;
const usualMinutes = 60;

type Window = { opens_at: string; closes_at: string };

/** Suggests windows in local time: the time of the exam, and some minutes for those who come late. */
export function WindowSuggestions({
  timeLimit,
  onChoose,
}: {
  /** Minutes, where they are known. */
  timeLimit: () => number | undefined;
  onChoose: (window: Window) => void;
}) {
  const t = useStrings();
  const words = t.examSessions.planning;
  const choose = (opens: Date): void => {
    const closes = new Date(opens.getTime() + (arrival + (timeLimit() ?? usualMinutes)) * 60_000);
    onChoose({ opens_at: localTime(opens.toISOString()), closes_at: localTime(closes.toISOString()) });
  };
  return (
    <fieldset className="flex flex-wrap items-center gap-2">
      <legend className="sr-only">{words.suggestions}</legend>
      {suggestions.map((name) => (
        <Button key={name} size="small" onClick={() => choose(momentOf(name, new Date(serverNow())))}>
          {words[name]}
        </Button>
      ))}
    </fieldset>
  );
}

function momentOf(name: (typeof suggestions)[number], now: Date): Date {
  const moment = new Date(now);
  if (name === 'inAnHour') {
    // The next full five minutes.
    moment.setMinutes(Math.ceil((moment.getMinutes() + 60) / 5) * 5, 0, 0);
    return moment;
  }
  const days = name === 'tomorrow' ? 1 : (8 - moment.getDay()) % 7 || 7;
  moment.setDate(moment.getDate() + days);
  moment.setHours(morning, 0, 0, 0);
  return moment;
}
