import { useMutation } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { api } from '../api/client.ts';
import { ok } from '../api/problem.ts';
import { useStrings } from '../strings/use-strings.tsx';
import { Button } from '../ui/button.tsx';
import { ProblemNote } from '../ui/problem-note.tsx';

/** Whether mail works, and where to see what was not sent. */
export function MailCard({ isOn }: { isOn: boolean }) {
  const t = useStrings();
  const test = useMutation({ mutationFn: () => ok(api.POST('/api/admin/mails/test')) });
  if (!isOn) return <p className="text-sm text-ink-soft">{t.administration.mailOff}</p>;
  return (
    <>
      <p className="text-sm text-ink-soft">{t.administration.mailLead}</p>
      <div className="flex flex-wrap items-center gap-3">
        <Button isBusy={test.isPending} onClick={() => test.mutate()}>
          {t.administration.sendTestMail}
        </Button>
        <Link to="/administration/mails" className="text-sm font-medium text-accent underline">
          {t.administration.mails}
        </Link>
      </div>
      {test.error && <ProblemNote error={test.error} />}
      {test.data && (
        <div role="status" className="text-sm">
          <p className={test.data.is_sent ? 'text-good' : 'text-bad'}>
            {test.data.is_sent
              ? t.administration.testMailSent(test.data.recipient)
              : t.administration.testMailRefused(test.data.recipient)}
          </p>
          <code className="block text-xs wrap-anywhere">{test.data.answer}</code>
        </div>
      )}
    </>
  );
}
