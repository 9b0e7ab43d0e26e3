import { useQuery } from '@tanstack/react-query';
import { ArrowRight, CircleCheck, CircleDashed, Gauge, X } from 'lucide-react';
import { type ReactNode, useState } from 'react';
import type { Answer } from '../api/client.ts';
import { useUser } from '../api/use-session.ts';
import type { User } from '../api/user.ts';
import type { PlainPath } from '../routing/addresses.ts';
import { useStrings } from '../strings/use-strings.tsx';
import { overviewQuery } from '../teaching-model/overview.ts';
import { IconButton } from '../ui/button.tsx';
import { ButtonLink } from '../ui/button-link.tsx';
import { Badge, Card } from '../ui/card.tsx';
import { remember, remembered } from '../ui/remember.ts';
import { Step } from '../ui/step.tsx';
import { firstStepsQuery } from './queries.ts';

/** What only the staff see on the start page. */
export function ForStaff(): ReactNode {
  return (
    <>
      <FirstSteps />
      <TeachingStep />
    </>
  );
}

/** Leads the staff from the start page to the overview of their classes, with what there is. */
function TeachingStep() {
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

type FirstStep = Answer<'/api/first-steps'>[number];

const pageOf = (step: FirstStep['step'], { role }: User): PlainPath =>
  ({
    courses: '/administration/courses',
    students: role === 'admin' ? '/administration/users' : '/classes',
    class: '/classes',
    images: '/administration/system',
    exam_session: '/plan-exam',
    backup: '/administration/system',
  })[step] as PlainPath;

/** What the staff of a new installation do first. It goes when everything is done, or when it is hidden in this browser. */
function FirstSteps() {
  const t = useStrings();
  const user = useUser();
  const words = t.teaching.firstSteps;
  const name = `first-steps-hidden-${user.id}`;
  const [isHidden, setHidden] = useState(() => remembered(name) !== null);
  const { data } = useQuery({ ...firstStepsQuery, enabled: !isHidden });
  if (isHidden || !data || data.every(({ is_done }) => is_done)) return null;
  const hide = (): void => {
    remember(name, 'true');
    setHidden(true);
    document.getElementById('content')?.focus({ preventScroll: true });
  };
  return (
    <section aria-labelledby="first-steps">
      <Card className="flex flex-col gap-3 sm:p-5">
        <div className="flex items-start justify-between gap-3">
          <div>
            <h2 id="first-steps" className="text-lg font-semibold">
              {words.title}
            </h2>
            <p className="text-sm text-ink-soft">
              {words.done(data.filter(({ is_done }) => is_done).length, data.length)}
            </p>
          </div>
          <IconButton label={words.hide} onClick={hide}>
            <X size={18} aria-hidden="true" />
          </IconButton>
        </div>
        <ol className="flex flex-col divide-y">
          {data.map((step) => (
            <FirstStepItem key={step.step} of={step} user={user} />
          ))}
        </ol>
      </Card>
    </section>
  );
}

function FirstStepItem({ of: { step, is_done, missing = [] }, user }: { of: FirstStep; user: User }) {
  const t = useStrings();
  const words = t.teaching.firstSteps;
  const { title, help, action } = words.steps[step];
  const Icon = is_done ? CircleCheck : CircleDashed;
  return (
    <li className="flex flex-wrap items-center gap-3 py-3">
      <Icon size={20} aria-hidden="true" className={`shrink-0 ${is_done ? 'text-good' : 'text-ink-soft'}`} />
      <div className="min-w-0 flex-1 basis-60">
        <p className="flex flex-wrap items-center gap-2 text-sm font-medium">
          {title}
          <Badge tone={is_done ? 'good' : 'neutral'}>{is_done ? words.isDone : words.isOpen}</Badge>
        </p>
        {!is_done && <p className="text-sm text-ink-soft">{help}</p>}
        {missing.length > 0 && <p className="text-sm text-ink-soft">{words.missing(missing.join(', '))}</p>}
      </div>
      {!is_done && (
        <ButtonLink look="plain" size="small" to={pageOf(step, user)}>
          {action} <ArrowRight size={15} aria-hidden="true" />
        </ButtonLink>
      )}
    </li>
  );
}
