import { useQuery, useQueryClient } from '@tanstack/react-query';
import { Plus } from 'lucide-react';
import { useState } from 'react';
import { api } from '../api/client.ts';
import { ok } from '../api/problem.ts';
import { useAddress } from '../routing/use-address.ts';
import type { Strings } from '../strings/en/index.ts';
import { useFormat, useStrings } from '../strings/use-strings.tsx';
import { CodeLimits, CodeState, spacedCode, WithdrawCode } from '../teaching-model/codes.tsx';
import { registrationRulesQuery } from '../teaching-model/registration.ts';
import { Button } from '../ui/button.tsx';
import { Dialog } from '../ui/dialog.tsx';
import { TextField } from '../ui/forms/field.tsx';
import { useSentForm } from '../ui/forms/form-field.ts';
import { SentForm } from '../ui/forms/sent-form.tsx';
import { showArrival } from '../ui/lists/arrivals.ts';
import { ListPage } from '../ui/lists/list-page.tsx';
import type { Column } from '../ui/lists/table.tsx';
import { useToasts } from '../ui/toasts.tsx';
import { type RegistrationCode, registrationCodesQuery } from './queries.ts';

/** The codes for registration, where the service requires one. */
export function RegistrationCodesPage() {
  const t = useStrings();
  const format = useFormat();
  const address = useAddress('/administration/registration-codes');
  return (
    <ListPage
      title={t.common.links.registrationCodes}
      lead={t.administration.codesLead}
      actions={<NewCode />}
      note={<Unused />}
      {...address}
      query={useQuery(registrationCodesQuery(address.search))}
      usual={{ sort: 'created_at', order: 'desc' }}
      empty={{ title: t.administration.noCodesTitle, help: t.administration.noCodesHelp }}
      columns={columnsOf(t, format)}
      kind="registration_code"
    />
  );
}

function NewCode() {
  const t = useStrings();
  const [isCreating, setCreating] = useState(false);
  return (
    <>
      <Button look="primary" aria-haspopup="dialog" onClick={() => setCreating(true)}>
        <Plus size={16} aria-hidden="true" /> {t.administration.newCode}
      </Button>
      <Dialog title={t.administration.newCode} isOpen={isCreating} onOpenChange={setCreating}>
        <RegistrationCodeForm onDone={() => setCreating(false)} />
      </Dialog>
    </>
  );
}

/** Notes that codes have no effect where the service does not require one. */
function Unused() {
  const t = useStrings();
  const { data: rules } = useQuery(registrationRulesQuery);
  if (!rules || rules.mode === 'code') return null;
  return (
    <p className="mb-4 rounded-md border bg-sunken px-4 py-3 text-sm">
      {t.administration.codesUnused[rules.mode]} {t.administration.codesUnusedHelp}
    </p>
  );
}

const columnsOf = (t: Strings, format: ReturnType<typeof useFormat>): Column<RegistrationCode>[] => [
  {
    title: t.administration.code,
    sort: 'code',
    cell: ({ code, note }) => (
      <>
        <code className="block font-medium whitespace-nowrap">{spacedCode(code)}</code>
        {note && <span className="block text-xs break-words text-ink-soft">{note}</span>}
      </>
    ),
  },
  {
    title: t.administration.state,
    cell: (row) => <CodeState code={row} />,
  },
  {
    title: t.administration.uses,
    sort: 'uses',
    firstOrder: 'desc',
    cell: ({ uses, max_uses }) => (max_uses === null ? uses : t.administration.usesOf(uses, max_uses)),
  },
  {
    title: t.administration.expires,
    sort: 'expires_at',
    isMinor: true,
    isShort: true,
    cell: ({ expires_at }) => (expires_at ? format.time(expires_at) : t.administration.never),
  },
  {
    title: t.administration.created,
    sort: 'created_at',
    firstOrder: 'desc',
    isMinor: true,
    isShort: true,
    cell: ({ created_at }) => format.time(created_at),
  },
  { title: t.common.actions, isActions: true, cell: (row) => <Withdraw row={row} /> },
];

function Withdraw({ row }: { row: RegistrationCode }) {
  const t = useStrings();
  return (
    <WithdrawCode
      kind="registration_code"
      row={row}
      help={t.administration.withdrawHelp}
      send={() => ok(api.DELETE('/api/admin/registration-codes/{id}', { params: { path: { id: row.id } } }))}
      changes={['administration', 'registration-codes']}
    />
  );
}

function RegistrationCodeForm({ onDone }: { onDone: () => void }) {
  const t = useStrings();
  const toasts = useToasts();
  const queries = useQueryClient();
  const empty = { note: '', max_uses: '', expires_at: '' };
  const sent = useSentForm(empty, async ({ note, max_uses, expires_at }) => {
    const body = {
      note: note.trim() || null,
      max_uses: max_uses ? Number(max_uses) : null,
      // The field contains local time without a zone.
      expires_at: expires_at ? new Date(expires_at).toISOString() : null,
    };
    const { id, code } = await ok(api.POST('/api/admin/registration-codes', { body }));
    toasts.done(t.administration.codeCreated(code));
    await queries.invalidateQueries({ queryKey: ['administration', 'registration-codes'] });
    onDone();
    showArrival('registration_code', id);
  });
  const { field } = sent;
  return (
    <SentForm sent={sent} action={t.common.create}>
      <TextField label={t.administration.note} help={t.administration.noteHelp} maxLength={200} {...field('note')} />
      <CodeLimits maxUses={field('max_uses')} expiresAt={field('expires_at')} />
    </SentForm>
  );
}
