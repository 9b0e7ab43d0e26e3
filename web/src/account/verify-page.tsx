import { useQuery } from '@tanstack/react-query';
import { useParams } from '@tanstack/react-router';
import { BadgeCheck, BadgeX } from 'lucide-react';
import { type Answer, api } from '../api/client.ts';
import { isRefusal, ok } from '../api/problem.ts';
import { useFormat, useStrings } from '../strings/use-strings.tsx';
import { Card } from '../ui/card.tsx';
import { Logo } from '../ui/logo.tsx';
import { useTitle } from '../ui/page.tsx';
import { Empty, Fetched } from '../ui/states.tsx';
import { Appearance } from './door.tsx';

/** A certificate, for anybody who wants to know whether it is valid. */
export function VerifyPage() {
  const { id } = useParams({ from: '/verify/$id' });
  const { certificates: words } = useStrings();
  const query = useQuery({
    queryKey: ['certificate', id],
    queryFn: ({ signal }) =>
      ok(api.GET('/api/certificates/{certificate}', { params: { path: { certificate: id } }, signal })),
    retry: false,
  });
  useTitle(words.verify);
  // An address that was cut off has another form.
  const isUnknown = isRefusal(query.error, 'not_found') || isRefusal(query.error, 'validation');
  return (
    <main id="content" className="relative flex min-h-full flex-col items-center justify-center gap-6 p-4 pt-16">
      <Appearance />
      <Logo isLarge />
      <Card className="w-full max-w-sm p-6">
        <h1 className="mb-4 text-xl font-semibold">{words.verify}</h1>
        {isUnknown ? (
          <Empty title={words.unknown}>{words.unknownHelp}</Empty>
        ) : (
          <Fetched query={query}>{(certificate) => <Verified certificate={certificate} />}</Fetched>
        )}
      </Card>
    </main>
  );
}

function Verified({ certificate }: { certificate: Answer<'/api/certificates/{certificate}'> }) {
  const { certificates: words } = useStrings();
  const format = useFormat();
  const { kind, title, name, issuer, earned_at, withdrawn_at } = certificate;
  const isValid = withdrawn_at === null;
  const Sign = isValid ? BadgeCheck : BadgeX;
  return (
    <div className="flex flex-col gap-4">
      <p className={`flex items-center gap-2 font-semibold ${isValid ? 'text-good' : 'text-bad'}`}>
        <Sign size={24} aria-hidden="true" className="shrink-0" />
        {isValid ? words.valid : words.withdrawnOn(format.date(withdrawn_at))}
      </p>
      <dl className="flex flex-col gap-3 [overflow-wrap:anywhere] [&_dt]:text-sm [&_dt]:text-ink-soft">
        {name !== null && (
          <div>
            <dt>{words.holder}</dt>
            <dd className="font-medium">{name}</dd>
          </div>
        )}
        <div>
          <dt>{words.kinds[kind]}</dt>
          <dd className="font-medium">{title}</dd>
        </div>
        <div>
          <dt>{words.date}</dt>
          <dd>{format.date(earned_at)}</dd>
        </div>
        <div>
          <dt>{words.issuer}</dt>
          <dd>{issuer}</dd>
        </div>
      </dl>
    </div>
  );
}
