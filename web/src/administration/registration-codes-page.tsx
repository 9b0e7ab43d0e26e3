import { useQuery, useQueryClient } from '@tanstack/react-query';
import { getRouteApi } from '@tanstack/react-router';
import { Plus, Trash2 } from 'lucide-react';
import { useState } from 'react';
import { registrationRulesQuery } from '../account/queries.ts';
import { api } from '../api/client.ts';
import { ok } from '../api/problem.ts';
import type { Strings } from '../strings/en/index.ts';
import { useFormat, useStrings } from '../strings/use-strings.tsx';
import { Button, IconButton } from '../ui/button.tsx';
import { Badge, type Tone } from '../ui/card.tsx';
import { Confirm, Dialog } from '../ui/dialog.tsx';
import { Page } from '../ui/page.tsx';
import { PagedList } from '../ui/paged-list.tsx';
import { Fetched } from '../ui/states.tsx';
import { type Column, Table } from '../ui/table.tsx';
import { useToasts } from '../ui/toasts.tsx';
import { pageSize, type RegistrationCode, registrationCodesQuery } from './queries.ts';
import { RegistrationCodeForm } from './registration-code-form.tsx';

const route = getRouteApi('/user/admin/administration/registration-codes');
type State = keyof Strings['administration']['codeStates'];
const tones: Record<State, Tone> = { valid: 'good', expired: 'neutral', usedUp: 'neutral' };

/** The codes for registration, where the service requires one. */
export function RegistrationCodesPage() {
  const t = useStrings();
  const format = useFormat();
  const { page = 1 } = route.useSearch();
  const navigate = route.useNavigate();
  const codes = useQuery(registrationCodesQuery(page));
  const [isCreating, setCreating] = useState(false);
  const add = (
    <Button look="primary" aria-haspopup="dialog" onClick={() => setCreating(true)}>
      <Plus size={16} aria-hidden="true" /> {t.administration.newCode}
    </Button>
  );
  return (
    <Page title={t.common.links.registrationCodes} lead={t.administration.codesLead} actions={add}>
      <WhetherTheyCount />
      <Fetched query={codes}>
        {({ items, total }) => (
          <PagedList
            page={page}
            pageSize={pageSize}
            total={total}
            isEmpty={items.length === 0}
            none={{ title: t.administration.noCodesTitle, help: t.administration.noCodesHelp }}
            onPage={(next) => void navigate({ search: { page: next } })}
          >
            <Table
              caption={t.common.links.registrationCodes}
              columns={columnsOf(t, format)}
              rows={items}
              keyOf={({ id }) => id}
            />
          </PagedList>
        )}
      </Fetched>
      <Dialog title={t.administration.newCode} isOpen={isCreating} onOpenChange={setCreating}>
        <RegistrationCodeForm onDone={() => setCreating(false)} />
      </Dialog>
    </Page>
  );
}

/** Notes that codes have no effect where the service does not require one. */
function WhetherTheyCount() {
  const t = useStrings();
  const { data: rules } = useQuery(registrationRulesQuery);
  if (!rules || rules.mode === 'code') return null;
  return (
    <p className="mb-4 rounded-md border bg-sunken px-4 py-3 text-sm">
      {t.administration.codesUnused[rules.mode]} {t.administration.codesUnusedHelp}
    </p>
  );
}

const stateOf = ({ expires_at, max_uses, uses }: RegistrationCode): State => {
  if (expires_at !== null && Date.parse(expires_at) <= Date.now()) return 'expired';
  return max_uses !== null && uses >= max_uses ? 'usedUp' : 'valid';
};

const columnsOf = (t: Strings, format: ReturnType<typeof useFormat>): Column<RegistrationCode>[] => [
  {
    title: t.administration.code,
    cell: ({ code, note }) => (
      <>
        <code className="block font-medium whitespace-nowrap">{code.replace(/(.{4})(?=.)/g, '$1-')}</code>
        {note && <span className="block text-xs break-words text-ink-soft">{note}</span>}
      </>
    ),
  },
  {
    title: t.administration.state,
    cell: (row) => <Badge tone={tones[stateOf(row)]}>{t.administration.codeStates[stateOf(row)]}</Badge>,
  },
  {
    title: t.administration.uses,
    cell: ({ uses, max_uses }) => (max_uses === null ? uses : t.administration.usesOf(uses, max_uses)),
  },
  {
    title: t.administration.expires,
    isMinor: true,
    cell: ({ expires_at }) => (
      <span className="whitespace-nowrap">{expires_at ? format.time(expires_at) : t.administration.never}</span>
    ),
  },
  {
    title: t.administration.created,
    isMinor: true,
    cell: ({ created_at }) => <span className="whitespace-nowrap">{format.time(created_at)}</span>,
  },
  { title: t.common.actions, isNumber: true, cell: (row) => <WithdrawCode row={row} /> },
];

function WithdrawCode({ row: { id, code } }: { row: RegistrationCode }) {
  const t = useStrings();
  const toasts = useToasts();
  const queries = useQueryClient();
  const [isAsking, setAsking] = useState(false);
  return (
    <>
      <IconButton label={`${t.administration.withdraw} ${code}`} aria-haspopup="dialog" onClick={() => setAsking(true)}>
        <Trash2 size={18} aria-hidden="true" />
      </IconButton>
      <Confirm
        title={t.administration.withdrawTitle(code)}
        action={t.administration.withdraw}
        isOpen={isAsking}
        onOpenChange={setAsking}
        onConfirm={async () => {
          await ok(api.DELETE('/api/admin/registration-codes/{id}', { params: { path: { id } } }));
          toasts.done(t.administration.withdrawn(code));
          await queries.invalidateQueries({ queryKey: ['administration', 'registration-codes'] });
        }}
      >
        {t.administration.withdrawHelp}
      </Confirm>
    </>
  );
}
