import { queryOptions, useQuery, useQueryClient } from '@tanstack/react-query';
import { Copy, Plus } from 'lucide-react';
import { useState } from 'react';
import { type Answer, api } from '../api/client.ts';
import { ok } from '../api/problem.ts';
import { useUser } from '../api/use-session.ts';
import { useFormat, useStrings } from '../strings/use-strings.tsx';
import { Ago } from '../ui/ago.tsx';
import { Button } from '../ui/button.tsx';
import { copyText } from '../ui/copy-text.ts';
import { DeleteButton } from '../ui/delete-button.tsx';
import { Dialog } from '../ui/dialog.tsx';
import { Checkbox, Select, TextField } from '../ui/forms/field.tsx';
import { fieldOf, useSentForm } from '../ui/forms/form-field.ts';
import { SentForm } from '../ui/forms/sent-form.tsx';
import { Fetched, Skeleton } from '../ui/states.tsx';
import { useToasts } from '../ui/toasts.tsx';
import { TitledCard } from './titled-card.tsx';

type Token = Answer<'/api/auth/tokens'>[number];
type Scope = Token['scopes'][number];

const tokensQuery = queryOptions({
  queryKey: ['personal-tokens'],
  queryFn: ({ signal }) => ok(api.GET('/api/auth/tokens', { signal })),
});

/** The user's tokens for programs. A new one is shown once. */
export function TokensCard() {
  const { profile, common } = useStrings();
  const words = profile.tokens;
  const [isCreating, setCreating] = useState(false);
  const [created, setCreated] = useState<string>();
  const close = (): void => {
    setCreating(false);
    setCreated(undefined);
  };
  return (
    <TitledCard title={words.title}>
      <p className="text-sm text-ink-soft">{words.lead}</p>
      <Fetched query={useQuery(tokensQuery)} skeleton={<Skeleton className="h-10" />}>
        {(tokens) =>
          tokens.length === 0 ? (
            <p className="text-sm text-ink-soft">{words.none}</p>
          ) : (
            <ul className="flex flex-col gap-2">
              {tokens.map((token) => (
                <Row key={token.id} token={token} />
              ))}
            </ul>
          )
        }
      </Fetched>
      <div>
        <Button aria-haspopup="dialog" onClick={() => setCreating(true)}>
          <Plus size={16} aria-hidden="true" /> {words.add}
        </Button>
      </div>
      <Dialog title={created ? words.createdTitle : words.add} isOpen={isCreating} onOpenChange={close}>
        {created === undefined ? (
          <TokenForm onCreated={setCreated} />
        ) : (
          <div className="flex flex-col gap-4">
            <TextField label={words.token} help={words.shownOnce} value={created} readOnly required />
            <div className="flex flex-wrap gap-2">
              <CopyButton text={created} />
              <Button onClick={close}>{common.close}</Button>
            </div>
          </div>
        )}
      </Dialog>
    </TitledCard>
  );
}

function Row({ token: { id, name, scopes, expires_at, last_used_at } }: { token: Token }) {
  const { profile } = useStrings();
  const words = profile.tokens;
  const format = useFormat();
  const toasts = useToasts();
  const queries = useQueryClient();
  const end = format.time(expires_at);
  return (
    <li className="flex items-start justify-between gap-2">
      <div className="min-w-0">
        <p className="font-medium break-words">{name}</p>
        <p className="text-sm text-ink-soft">
          {scopes.join(', ')} · {Date.parse(expires_at) > Date.now() ? words.endsOn(end) : words.endedOn(end)} ·{' '}
          {last_used_at === null ? (
            words.never
          ) : (
            <>
              {words.used} <Ago time={last_used_at} />
            </>
          )}
        </p>
      </div>
      <DeleteButton
        label={words.delete(name)}
        title={words.deleteTitle}
        onConfirm={async () => {
          await ok(api.DELETE('/api/auth/tokens/{id}', { params: { path: { id } } }));
          await queries.invalidateQueries(tokensQuery);
          toasts.done(words.deleted);
        }}
      >
        <p>{words.deleteHelp}</p>
      </DeleteButton>
    </li>
  );
}

/** Days for which a token may be valid. */
const lifetimes = ['30', '90', '365'];
const dayMs = 86_400_000;

function TokenForm({ onCreated }: { onCreated: (token: string) => void }) {
  const { profile, common } = useStrings();
  const words = profile.tokens;
  const { role } = useUser();
  const toasts = useToasts();
  const queries = useQueryClient();
  const [scopes, setScopes] = useState<Scope[]>(['read']);
  const sent = useSentForm({ name: '', days: '90' }, async ({ name, days }) => {
    if (scopes.length === 0) return toasts.warn(words.missing);
    const expires_at = new Date(Date.now() + Number(days) * dayMs).toISOString();
    const { token } = await ok(api.POST('/api/auth/tokens', { body: { name: name.trim(), scopes, expires_at } }));
    await queries.invalidateQueries(tokensQuery);
    onCreated(token);
  });
  const offered: Scope[] = ['read', 'write'];
  if (role !== 'student') offered.push('content', 'grades');
  if (role === 'admin') offered.push('admin');
  return (
    <SentForm sent={sent} action={common.create}>
      <TextField label={words.name} maxLength={100} required {...fieldOf(sent.form, 'name')} />
      <fieldset className="flex flex-col">
        <legend className="text-sm font-medium">{words.scopesTitle}</legend>
        {offered.map((scope) => (
          <Checkbox
            key={scope}
            label={words.scopes[scope]}
            checked={scopes.includes(scope)}
            onChange={({ target }) =>
              setScopes(target.checked ? [...scopes, scope] : scopes.filter((other) => other !== scope))
            }
          />
        ))}
      </fieldset>
      <Select
        label={words.days}
        options={lifetimes.map((value) => ({ value, label: words.ofDays(Number(value)) }))}
        {...fieldOf(sent.form, 'days')}
      />
    </SentForm>
  );
}

function CopyButton({ text }: { text: string }) {
  const words = useStrings().profile.tokens;
  const toasts = useToasts();
  const copy = async (): Promise<void> => {
    if (await copyText(text)) toasts.done(words.copied);
  };
  return (
    <Button look="primary" onClick={() => void copy()}>
      <Copy size={16} aria-hidden="true" /> {words.copy}
    </Button>
  );
}
