import { queryOptions, useQuery, useQueryClient } from '@tanstack/react-query';
import { Award, ExternalLink } from 'lucide-react';
import { type ReactNode, useState } from 'react';
import { type Answer, api } from '../api/client.ts';
import { ok } from '../api/problem.ts';
import { useUser } from '../api/use-session.ts';
import { useFormat, useSpoken, useStrings } from '../strings/use-strings.tsx';
import { Button } from '../ui/button.tsx';
import { ButtonLink } from '../ui/button-link.tsx';
import { Badge } from '../ui/card.tsx';
import { Confirm, Dialog } from '../ui/dialog.tsx';
import { DownloadButton } from '../ui/download-button.tsx';
import { TextField } from '../ui/forms/field.tsx';
import { useSentForm } from '../ui/forms/form-field.ts';
import { SentForm } from '../ui/forms/sent-form.tsx';
import { useToasts } from '../ui/toasts.tsx';

export type OwnCertificate = Answer<'/api/profile/certificates'>[number];

/** The user's certificates, and first those that the user can create. */
export const certificatesQuery = queryOptions({
  queryKey: ['certificates'],
  queryFn: ({ signal }) => ok(api.GET('/api/profile/certificates', { signal })),
});

/** The certificate of an exam, beside the results of a passed attempt, or that it was withdrawn. Nothing where the exam gives none. */
export function ExamCertificate({ examId, isPassed }: { examId: number; isPassed: boolean }) {
  const { certificates: words } = useStrings();
  const { data = [] } = useQuery(certificatesQuery);
  const own = data.filter(({ kind, part_id }) => kind === 'exam' && part_id === examId);
  const certificate = own.find(({ withdrawn_at }) => withdrawn_at === null);
  if (!certificate && own.length > 0) return <p className="text-sm text-ink-soft">{words.withdrawnBecause}</p>;
  return certificate && isPassed ? <CertificateActions certificate={certificate} /> : null;
}

/** What its holder does with a certificate. */
export function CertificateActions({ certificate }: { certificate: OwnCertificate }) {
  const { certificates: words } = useStrings();
  const { language } = useSpoken();
  const [isCreating, setCreating] = useState(false);
  const { id, title } = certificate;
  if (id === null)
    return (
      <>
        <Button aria-label={`${words.create}: ${title}`} onClick={() => setCreating(true)}>
          <Award size={16} aria-hidden="true" /> {words.create}
        </Button>
        <Dialog title={words.create} description={title} isOpen={isCreating} onOpenChange={setCreating}>
          <CreateForm certificate={certificate} onDone={() => setCreating(false)} />
        </Dialog>
      </>
    );
  if (certificate.withdrawn_at !== null) return null;
  return (
    <>
      <DownloadButton
        label={words.pdf}
        name={`${words.pdf}: ${title}`}
        path={`/api/profile/certificates/${id}/pdf`}
        query={{ language }}
      />
      <ButtonLink to="/verify/$id" params={{ id }} look="plain">
        <ExternalLink size={16} aria-hidden="true" /> {words.page}
      </ButtonLink>
    </>
  );
}

function CreateForm({ certificate: { kind, part_id }, onDone }: { certificate: OwnCertificate; onDone: () => void }) {
  const { certificates: words } = useStrings();
  const user = useUser();
  const toasts = useToasts();
  const queries = useQueryClient();
  const sent = useSentForm({ name: user.full_name ?? '' }, async ({ name }) => {
    await ok(api.POST('/api/profile/certificates', { body: { kind, part_id: part_id ?? 0, name: name.trim() } }));
    await queries.invalidateQueries({ queryKey: certificatesQuery.queryKey });
    toasts.done(words.created);
    onDone();
  });
  return (
    <SentForm sent={sent} action={words.create}>
      <TextField label={words.name} help={words.nameHelp} required maxLength={200} {...sent.field('name')} />
    </SentForm>
  );
}

/** A certificate in the list of its holder. */
export function CertificateRow({ certificate }: { certificate: OwnCertificate }) {
  const { certificates: words } = useStrings();
  const format = useFormat();
  const toasts = useToasts();
  const queries = useQueryClient();
  const [isAsking, setAsking] = useState(false);
  const { id, kind, title, name, earned_at, withdrawn_at } = certificate;
  const remove = async (): Promise<void> => {
    if (id === null) return;
    await ok(api.DELETE('/api/profile/certificates/{certificate}', { params: { path: { certificate: id } } }));
    await queries.invalidateQueries({ queryKey: certificatesQuery.queryKey });
    toasts.done(words.removed);
  };
  const state: ReactNode = withdrawn_at !== null && <Badge tone="warn">{words.withdrawn}</Badge>;
  return (
    <li className="panel flex flex-col gap-3 p-3">
      <div className="flex flex-wrap items-center gap-2">
        <p className="min-w-0 flex-1 [overflow-wrap:anywhere]">
          <span className="font-medium">{title}</span>
          <span className="block text-sm text-ink-soft">
            {[words.kinds[kind], format.date(earned_at), name].filter((text) => text !== null).join(' · ')}
          </span>
        </p>
        {state}
      </div>
      <div className="flex flex-wrap gap-2">
        <CertificateActions certificate={certificate} />
        {id !== null && withdrawn_at === null && (
          <DownloadButton
            label={words.credential}
            name={`${words.credential}: ${title}`}
            path={`/api/profile/certificates/${id}/credential`}
          />
        )}
        {id !== null && (
          <Button look="quiet" aria-label={`${words.remove}: ${title}`} onClick={() => setAsking(true)}>
            {words.remove}
          </Button>
        )}
      </div>
      <Confirm
        title={words.removeTitle}
        action={words.remove}
        isOpen={isAsking}
        onOpenChange={setAsking}
        onConfirm={remove}
      >
        <p>{words.removeHelp}</p>
      </Confirm>
    </li>
  );
}
