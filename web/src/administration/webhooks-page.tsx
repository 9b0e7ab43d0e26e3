import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { Plus } from 'lucide-react';
import { type ReactNode, useState } from 'react';
import { api } from '../api/client.ts';
import { ok } from '../api/problem.ts';
import { useAddress } from '../routing/use-address.ts';
import type { Strings } from '../strings/en/index.ts';
import { useStrings } from '../strings/use-strings.tsx';
import { Ago } from '../ui/ago.tsx';
import { Button } from '../ui/button.tsx';
import { Badge } from '../ui/card.tsx';
import { CopyButton } from '../ui/copy-button.tsx';
import { DeleteButton } from '../ui/delete-button.tsx';
import { Dialog } from '../ui/dialog.tsx';
import { Checkbox, TextField } from '../ui/forms/field.tsx';
import { useSentForm } from '../ui/forms/form-field.ts';
import { SentForm } from '../ui/forms/sent-form.tsx';
import { ListPage } from '../ui/lists/list-page.tsx';
import { type Column, Table } from '../ui/lists/table.tsx';
import { Fetched, Skeleton } from '../ui/states.tsx';
import { useToasts } from '../ui/toasts.tsx';
import { deliveriesQuery, type Webhook, type WebhookDelivery, webhooksKey, webhooksQuery, wordOf } from './queries.ts';
import { SettingsCrumbs } from './settings-crumbs.tsx';

const events: Webhook['events'] = [
  ...(['attempt.started', 'attempt.submitted', 'attempt.graded'] as const),
  ...(['member.added', 'member.removed', 'content.published'] as const),
];
type Opened = { webhook?: Webhook; part: 'form' | 'deliveries' | 'secret'; secret?: string; isRotated?: true };

/** Programs that are told what happens. */
export function WebhooksPage() {
  const t = useStrings();
  const words = t.administration.webhooks;
  const address = useAddress('/administration/webhooks');
  const [opened, setOpened] = useState<Opened>();
  const title = opened && {
    form: opened.webhook ? words.edit : words.add,
    deliveries: words.deliveries,
    secret: words.newSecret,
  };
  return (
    <>
      <ListPage
        title={t.administration.webhooks.title}
        crumbs={<SettingsCrumbs />}
        lead={words.lead}
        actions={
          <Button look="primary" aria-haspopup="dialog" onClick={() => setOpened({ part: 'form' })}>
            <Plus size={16} aria-hidden="true" /> {words.add}
          </Button>
        }
        {...address}
        query={useQuery(webhooksQuery(address.search))}
        empty={{ title: words.noneTitle, help: words.noneHelp }}
        columns={columnsOf(t, setOpened)}
      />
      <Dialog
        title={opened && title ? title[opened.part] : words.add}
        isOpen={opened !== undefined}
        onOpenChange={() => setOpened(undefined)}
        width={opened?.part === 'deliveries' ? 'max-w-4xl' : 'max-w-xl'}
      >
        {opened?.part === 'form' && <WebhookForm webhook={opened.webhook} onDone={setOpened} />}
        {opened?.part === 'deliveries' && opened.webhook && <Deliveries webhook={opened.webhook} />}
        {opened?.secret !== undefined && <Secret secret={opened.secret} isRotated={opened.isRotated} />}
      </Dialog>
    </>
  );
}

const hostOf = ({ url }: Webhook): string => new URL(url).host;

const columnsOf = (t: Strings, onOpen: (opened: Opened) => void): Column<Webhook>[] => [
  {
    title: t.administration.webhooks.url,
    cell: (row) => (
      <>
        <span className="block font-medium wrap-anywhere">{row.url}</span>
        <span className="block text-xs wrap-anywhere text-ink-soft">{row.events.join(', ')}</span>
        <Actions row={row} onOpen={onOpen} />
      </>
    ),
  },
  {
    title: t.administration.state,
    cell: ({ pause_reason, failing_since }) => (
      <span className="flex flex-col items-start gap-1 text-sm">
        {pause_reason ? (
          <Badge>{t.administration.webhooks.paused[pause_reason]}</Badge>
        ) : (
          t.administration.webhooks.runs
        )}
        {failing_since && (
          <span className="text-bad">
            {t.administration.webhooks.failing} <Ago time={failing_since} />
          </span>
        )}
      </span>
    ),
  },
];

function Actions({ row, onOpen }: { row: Webhook; onOpen: (opened: Opened) => void }) {
  const words = useStrings().administration.webhooks;
  const toasts = useToasts();
  const queries = useQueryClient();
  const params = { path: { id: row.id } };
  const host = hostOf(row);
  const renew = () => queries.invalidateQueries({ queryKey: webhooksKey });
  const onError = (error: Error): void => toasts.failed(error);
  const pause = useMutation({
    mutationFn: () =>
      ok(api.PATCH('/api/admin/webhooks/{id}', { params, body: { is_paused: row.pause_reason === null } })),
    onSuccess: renew,
    onError,
  });
  const rotate = useMutation({
    mutationFn: () => ok(api.POST('/api/admin/webhooks/{id}/rotate-secret', { params })),
    onSuccess: ({ secret }) => onOpen({ part: 'secret', secret, isRotated: true }),
    onError,
  });
  const pausing = row.pause_reason === null ? words.pause : words.resume;
  return (
    <span className="mt-2 flex flex-wrap items-center gap-1">
      <Button
        size="small"
        aria-haspopup="dialog"
        aria-label={`${words.deliveries}: ${host}`}
        onClick={() => onOpen({ part: 'deliveries', webhook: row })}
      >
        {words.deliveries}
      </Button>
      <Button
        size="small"
        aria-haspopup="dialog"
        aria-label={`${words.edit}: ${host}`}
        onClick={() => onOpen({ part: 'form', webhook: row })}
      >
        {words.edit}
      </Button>
      <Button size="small" aria-label={`${pausing}: ${host}`} isBusy={pause.isPending} onClick={() => pause.mutate()}>
        {pausing}
      </Button>
      <Button
        size="small"
        aria-label={`${words.rotate}: ${host}`}
        isBusy={rotate.isPending}
        onClick={() => rotate.mutate()}
      >
        {words.rotate}
      </Button>
      <DeleteButton
        label={words.delete(host)}
        title={words.deleteTitle}
        onConfirm={async () => {
          await ok(api.DELETE('/api/admin/webhooks/{id}', { params }));
          await renew();
        }}
      >
        {words.deleteHelp}
      </DeleteButton>
    </span>
  );
}

function WebhookForm({ webhook, onDone }: { webhook: Webhook | undefined; onDone: (next?: Opened) => void }) {
  const t = useStrings();
  const words = t.administration.webhooks;
  const toasts = useToasts();
  const queries = useQueryClient();
  const [chosen, setChosen] = useState(webhook?.events ?? []);
  const sent = useSentForm({ url: webhook?.url ?? '' }, async ({ url }) => {
    if (chosen.length === 0) return toasts.warn(words.missing);
    const body = { url: url.trim(), events: chosen };
    const params = { path: { id: webhook?.id ?? 0 } };
    const secret = webhook ? undefined : (await ok(api.POST('/api/admin/webhooks', { body }))).secret;
    if (webhook) await ok(api.PATCH('/api/admin/webhooks/{id}', { params, body }));
    await queries.invalidateQueries({ queryKey: webhooksKey });
    onDone(secret === undefined ? undefined : { part: 'secret', secret });
  });
  return (
    <SentForm sent={sent} action={webhook ? t.common.save : t.common.create}>
      <TextField label={words.url} help={words.urlHelp} type="url" maxLength={2048} required {...sent.field('url')} />
      <fieldset className="flex flex-col">
        <legend className="text-sm font-medium">{words.events}</legend>
        {events.map((event) => (
          <Checkbox
            key={event}
            label={words.eventNames[event]}
            checked={chosen.includes(event)}
            onChange={({ target }) =>
              setChosen(target.checked ? [...chosen, event] : chosen.filter((other) => other !== event))
            }
          />
        ))}
      </fieldset>
    </SentForm>
  );
}

function Secret({ secret, isRotated }: { secret: string; isRotated: true | undefined }) {
  const words = useStrings().administration.webhooks;
  return (
    <div className="flex flex-col items-start gap-4">
      <TextField
        label={words.secret}
        help={isRotated ? `${words.shownOnce} ${words.formerSigns}` : words.shownOnce}
        value={secret}
        readOnly
        required
      />
      <CopyButton text={secret} words={words} />
    </div>
  );
}

function Deliveries({ webhook }: { webhook: Webhook }) {
  const t = useStrings();
  const words = t.administration.webhooks;
  const toasts = useToasts();
  const queries = useQueryClient();
  const query = deliveriesQuery(webhook.id);
  const { id } = webhook;
  const test = useMutation({
    mutationFn: () => ok(api.POST('/api/admin/webhooks/{id}/test', { params: { path: { id } } })),
    onSuccess: () => queries.invalidateQueries(query),
    onError: (error) => toasts.failed(error),
  });
  return (
    <div className="flex flex-col items-start gap-4">
      <Button isBusy={test.isPending} onClick={() => test.mutate()}>
        {words.test}
      </Button>
      <Fetched query={useQuery(query)} skeleton={<Skeleton className="h-24 w-full" />}>
        {(deliveries) =>
          deliveries.length === 0 ? (
            <p className="text-sm text-ink-soft">{words.noDeliveries}</p>
          ) : (
            <Table
              caption={`${words.deliveries}: ${hostOf(webhook)}`}
              rows={deliveries}
              keyOf={(row) => row.id}
              columns={deliveryColumns(t, id)}
            />
          )
        }
      </Fetched>
    </div>
  );
}

const answerOf = (t: Strings, { code, problem }: Pick<WebhookDelivery, 'code' | 'problem'>): ReactNode =>
  code ?? (problem === null ? '' : wordOf(t.administration.webhooks.problems, problem));

/** A narrow window shows the state and the answer below the event. */
const deliveryColumns = (t: Strings, webhookId: number): Column<WebhookDelivery>[] => [
  {
    title: t.administration.webhooks.event,
    cell: ({ event, created_at, ...row }) => (
      <>
        <code className="block text-sm wrap-anywhere">{event}</code>
        <span className="text-xs text-ink-soft">
          <Ago time={created_at} />
        </span>
        <span className="block text-xs md:hidden">
          {t.administration.webhooks.statuses[row.status]} {answerOf(t, row)}
        </span>
      </>
    ),
  },
  { title: t.administration.state, isMinor: true, cell: ({ status }) => t.administration.webhooks.statuses[status] },
  { title: t.administration.webhooks.answer, isMinor: true, cell: (row) => answerOf(t, row) },
  { title: t.administration.webhooks.attempts, isNumber: true, isMinor: true, cell: ({ attempts }) => attempts },
  { title: t.common.actions, isActions: true, cell: (row) => <Replay webhookId={webhookId} row={row} /> },
];

function Replay({ webhookId, row }: { webhookId: number; row: WebhookDelivery }) {
  const words = useStrings().administration.webhooks;
  const toasts = useToasts();
  const queries = useQueryClient();
  const replay = useMutation({
    mutationFn: () =>
      ok(
        api.POST('/api/admin/webhooks/{id}/deliveries/{delivery_id}/replay', {
          params: { path: { id: webhookId, delivery_id: row.id } },
        }),
      ),
    onSuccess: () => queries.invalidateQueries(deliveriesQuery(webhookId)),
    onError: (error) => toasts.failed(error),
  });
  return (
    <Button
      size="small"
      aria-label={`${words.replay}: ${row.event} ${row.id}`}
      isBusy={replay.isPending}
      onClick={() => replay.mutate()}
    >
      {words.replay}
    </Button>
  );
}
