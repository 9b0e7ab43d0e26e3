import { useQuery } from '@tanstack/react-query';
import { ArrowRight, Gauge } from 'lucide-react';
import { useStrings } from '../strings/use-strings.tsx';
import { overviewQuery } from '../teaching-model/overview.ts';
import { ButtonLink } from '../ui/button-link.tsx';
import { Step } from '../ui/step.tsx';

/** Leads the staff from the start page to the overview of their classes, with what there is. */
export function TeachingStep() {
  const t = useStrings();
  const { data } = useQuery(overviewQuery);
  const words = t.teaching.overview;
  if (!data) return null;
  const { open_sessions, results_to_release, failed_gradings, stuck_count } = data;
  const counts = [
    words.sessionCount(open_sessions.length),
    words.waitingCount(results_to_release.length + failed_gradings.length),
    words.stuckCount(stuck_count),
  ];
  return (
    <Step
      icon={Gauge}
      label={words.yours}
      title={t.common.links.overview}
      action={
        <ButtonLink to="/teaching">
          {words.open} <ArrowRight size={16} aria-hidden="true" />
        </ButtonLink>
      }
    >
      {counts.join(' · ')}
    </Step>
  );
}
