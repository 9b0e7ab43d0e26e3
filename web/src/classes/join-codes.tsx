import { useQuery, useQueryClient } from '@tanstack/react-query';
import { Plus } from 'lucide-react';
import { useState } from 'react';
import { api } from '../api/client.ts';
import { ok } from '../api/problem.ts';
import type { Strings } from '../strings/en/index.ts';
import { useFormat, useStrings } from '../strings/use-strings.tsx';
import { classesKey, type JoinCode, joinCodesQuery, type SchoolClass } from '../teaching-model/classes.ts';
import { CodeLimits, CodeState, spacedCode, WithdrawCode } from '../teaching-model/codes.tsx';
import { Button } from '../ui/button.tsx';
import { Dialog } from '../ui/dialog.tsx';
import { TextField } from '../ui/forms/field.tsx';
import { useSentForm } from '../ui/forms/form-field.ts';
import { SentForm } from '../ui/forms/sent-form.tsx';
import { showArrival } from '../ui/lists/arrivals.ts';
import { type Column, Table } from '../ui/lists/table.tsx';
import { Fetched } from '../ui/states.tsx';
import { useToasts } from '../ui/toasts.tsx';

/** The codes with which students join a class. */
export function JoinCodes({ of: { id, is_archived } }: { of: SchoolClass }) {
  const t = useStrings();
  const format = useFormat();
  const [isCreating, setCreating] = useState(false);
  return (
    <section className="flex flex-col gap-4">
      <div className="flex flex-wrap items-start justify-between gap-2">
        <div className="min-w-0">
          <h2 className="text-lg font-semibold">{t.classes.codes}</h2>
          <p className="text-sm text-ink-soft">{t.classes.codesLead}</p>
        </div>
        {!is_archived && (
          <Button aria-haspopup="dialog" onClick={() => setCreating(true)}>
            <Plus size={16} aria-hidden="true" /> {t.classes.newCode}
          </Button>
        )}
      </div>
      <Fetched query={useQuery(joinCodesQuery(id))}>
        {(codes) =>
          codes.length === 0 ? (
            <p className="text-sm text-ink-soft">{t.classes.noCodes}</p>
          ) : (
            <Table
              caption={t.classes.codes}
              rows={codes}
              keyOf={(code) => code.id}
              kind="class_join_code"
              columns={columnsOf(t, format, id)}
            />
          )
        }
      </Fetched>
      <Dialog title={t.classes.newCode} isOpen={isCreating} onOpenChange={setCreating}>
        <JoinCodeForm classId={id} onDone={() => setCreating(false)} />
      </Dialog>
    </section>
  );
}

const columnsOf = (t: Strings, format: ReturnType<typeof useFormat>, classId: number): Column<JoinCode>[] => [
  {
    title: t.classes.code,
    sortBy: ({ code }) => code,
    cell: ({ code }) => <code className="font-medium whitespace-nowrap">{spacedCode(code)}</code>,
  },
  { title: t.administration.state, cell: (code) => <CodeState code={code} /> },
  {
    title: t.administration.uses,
    sortBy: ({ uses }) => uses,
    cell: ({ uses, max_uses }) => (max_uses === null ? uses : t.administration.usesOf(uses, max_uses)),
  },
  {
    title: t.classes.domain,
    isMinor: true,
    sortBy: ({ email_domain }) => email_domain,
    cell: ({ email_domain }) => email_domain ?? t.classes.anyDomain,
  },
  {
    title: t.administration.expires,
    sortBy: ({ expires_at }) => expires_at,
    isMinor: true,
    isShort: true,
    cell: ({ expires_at }) => (expires_at ? format.time(expires_at) : t.administration.never),
  },
  { title: t.common.actions, isActions: true, cell: (code) => <Withdraw classId={classId} code={code} /> },
];

function Withdraw({ classId, code }: { classId: number; code: JoinCode }) {
  const t = useStrings();
  const params = { path: { id: classId, code_id: code.id } };
  return (
    <WithdrawCode
      kind="class_join_code"
      row={code}
      help={t.classes.withdrawHelp}
      send={() => ok(api.DELETE('/api/classes/{id}/join-codes/{code_id}', { params }))}
      changes={classesKey}
    />
  );
}

const empty = { max_uses: '', expires_at: '', email_domain: '' };

function JoinCodeForm({ classId, onDone }: { classId: number; onDone: () => void }) {
  const t = useStrings();
  const toasts = useToasts();
  const queries = useQueryClient();
  const sent = useSentForm(empty, async ({ max_uses, expires_at, email_domain }) => {
    const body = {
      max_uses: max_uses ? Number(max_uses) : null,
      // The field contains local time without a zone.
      expires_at: expires_at ? new Date(expires_at).toISOString() : null,
      email_domain: email_domain.trim() || null,
    };
    const params = { path: { id: classId } };
    const { id, code } = await ok(api.POST('/api/classes/{id}/join-codes', { params, body }));
    toasts.done(t.classes.codeCreated(code));
    await queries.invalidateQueries({ queryKey: classesKey });
    onDone();
    showArrival('class_join_code', id);
  });
  const { field } = sent;
  return (
    <SentForm sent={sent} action={t.common.create}>
      <CodeLimits maxUses={field('max_uses')} expiresAt={field('expires_at')} />
      <TextField
        label={t.classes.domain}
        help={t.classes.domainHelp}
        maxLength={253}
        autoCapitalize="none"
        spellCheck={false}
        {...field('email_domain')}
      />
    </SentForm>
  );
}
