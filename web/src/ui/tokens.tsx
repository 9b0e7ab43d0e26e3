import { useQuery, useQueryClient } from '@tanstack/react-query';
import { Plus } from 'lucide-react';
import { useState } from 'react';
import type { Answer } from '../api/client.ts';
import { useFormat, useStrings } from '../strings/use-strings.tsx';
import { Button } from './button.tsx';
import { CopyButton } from './copy-button.tsx';
import { DeleteButton } from './delete-button.tsx';
import { Dialog } from './dialog.tsx';
import { Checkbox, Select, TextField } from './forms/field.tsx';
import { useSentForm } from './forms/form-field.ts';
import { SentForm } from './forms/sent-form.tsx';
import { LastUsed } from './last-used.tsx';
import { Fetched, Skeleton } from './states.tsx';
import { useToasts } from './toasts.tsx';

type Token = Answer<'/api/auth/tokens'>[number];
type Scope = Token['scopes'][number];

/** Whose tokens they are. */
export type TokenSource = {
  key: readonly unknown[];
  role: 'student' | 'instructor' | 'admin';
  list: (signal: AbortSignal) => Promise<Token[]>;
  create: (body: { name: string; scopes: Scope[]; expires_at: string }) => Promise<{ token: string }>;
  remove: (id: number) => Promise<unknown>;
};

/** Tokens for programs. A new one is shown once. */
export function Tokens({ source, noneText }: { source: TokenSource; noneText: string }) {
  const { profile, common } = useStrings();
  const words = profile.tokens;
  const [isCreating, setCreating] = useState(false);
  const [created, setCreated] = useState<string>();
  const close = (): void => {
    setCreating(false);
    setCreated(undefined);
  };
  const query = useQuery({ queryKey: source.key, queryFn: ({ signal }) => source.list(signal) });
  return (
    <>
      <Fetched query={query} skeleton={<Skeleton className="h-10" />}>
        {(tokens) =>
          tokens.length === 0 ? (
            <p className="text-sm text-ink-soft">{noneText}</p>
          ) : (
            <ul className="flex flex-col gap-2">
              {tokens.map((token) => (
                <Row key={token.id} token={token} source={source} />
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
          <TokenForm source={source} onCreated={setCreated} />
        ) : (
          <div className="flex flex-col gap-4">
            <TextField label={words.token} help={words.shownOnce} value={created} readOnly required />
            <div className="flex flex-wrap gap-2">
              <CopyButton text={created} words={words} />
              <Button onClick={close}>{common.close}</Button>
            </div>
          </div>
        )}
      </Dialog>
    </>
  );
}

function Row({ token, source }: { token: Token; source: TokenSource }) {
  const { id, name, scopes, expires_at, last_used_at } = token;
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
          <LastUsed time={last_used_at} words={words} />
        </p>
      </div>
      <DeleteButton
        label={words.delete(name)}
        title={words.deleteTitle}
        onConfirm={async () => {
          await source.remove(id);
          await queries.invalidateQueries({ queryKey: source.key });
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

function TokenForm({ source, onCreated }: { source: TokenSource; onCreated: (token: string) => void }) {
  const { profile, common } = useStrings();
  const words = profile.tokens;
  const { role } = source;
  const toasts = useToasts();
  const queries = useQueryClient();
  const [scopes, setScopes] = useState<Scope[]>(['read']);
  const sent = useSentForm({ name: '', days: '90' }, async ({ name, days }) => {
    if (scopes.length === 0) return toasts.warn(words.missing);
    const expires_at = new Date(Date.now() + Number(days) * dayMs).toISOString();
    const { token } = await source.create({ name: name.trim(), scopes, expires_at });
    await queries.invalidateQueries({ queryKey: source.key });
    onCreated(token);
  });
  const offered: Scope[] = ['read', 'write'];
  if (role !== 'student') offered.push('content', 'grades');
  if (role === 'admin') offered.push('admin');
  return (
    <SentForm sent={sent} action={common.create}>
      <TextField label={words.name} maxLength={100} required {...sent.field('name')} />
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
        {...sent.field('days')}
      />
    </SentForm>
  );
}
