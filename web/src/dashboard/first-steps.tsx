import { useQuery } from '@tanstack/react-query';
import { ArrowRight, CircleDashed, X } from 'lucide-react';
import { type ReactNode, useState } from 'react';
import type { Answer } from '../api/client.ts';
import { useUser } from '../api/use-session.ts';
import type { User } from '../api/user.ts';
import type { PlainPath } from '../routing/addresses.ts';
import { useStrings } from '../strings/use-strings.tsx';
import { IconButton } from '../ui/button.tsx';
import { ButtonLink } from '../ui/button-link.tsx';
import { Card } from '../ui/card.tsx';
import { remember, remembered } from '../ui/remember.ts';
import { firstStepsQuery } from './queries.ts';

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

/**
 * What the staff of a new installation do first. It goes when everything is done, or when it is hidden in this browser.
 * @param otherwise shown where it has gone
 */
export function FirstSteps({ otherwise }: { otherwise: ReactNode }) {
  const t = useStrings();
  const user = useUser();
  const words = t.teaching.firstSteps;
  const name = `first-steps-hidden-${user.id}`;
  const [isHidden, setHidden] = useState(() => remembered(name) !== null);
  const { data } = useQuery({ ...firstStepsQuery, enabled: !isHidden });
  const open = data?.filter(({ is_done }) => !is_done);
  if (isHidden || open?.length === 0) return otherwise;
  if (!data || !open) return null;
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
            <p className="text-sm text-ink-soft">{words.done(data.length - open.length, data.length)}</p>
          </div>
          <IconButton label={words.hide} onClick={hide}>
            <X size={18} aria-hidden="true" />
          </IconButton>
        </div>
        <ol className="flex flex-col divide-y">
          {open.map((step) => (
            <FirstStepItem key={step.step} of={step} user={user} />
          ))}
        </ol>
      </Card>
    </section>
  );
}

function FirstStepItem({ of: { step, missing = [] }, user }: { of: FirstStep; user: User }) {
  const t = useStrings();
  const words = t.teaching.firstSteps;
  const { title, help, action } = words.steps[step];
  return (
    <li className="flex flex-wrap items-center gap-3 py-3 last:pb-0">
      <CircleDashed size={20} aria-hidden="true" className="shrink-0 text-ink-soft" />
      <div className="min-w-0 flex-1 basis-60">
        <p className="text-sm font-medium">{title}</p>
        <p className="text-sm text-ink-soft">{help}</p>
        {missing.length > 0 && <p className="text-sm text-ink-soft">{words.missing(missing.join(', '))}</p>}
      </div>
      <ButtonLink look="plain" size="small" to={pageOf(step, user)}>
        {action} <ArrowRight size={15} aria-hidden="true" />
      </ButtonLink>
    </li>
  );
}
