import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { Check, Eye, Hand, MessageSquare } from 'lucide-react';
import { useState } from 'react';
import { api } from '../api/client.ts';
import { ok } from '../api/problem.ts';
import { useStrings } from '../strings/use-strings.tsx';
import type { BarAction } from '../terminal/bar-action.tsx';
import { Ago } from '../ui/ago.tsx';
import { Button } from '../ui/button.tsx';
import { ButtonLink } from '../ui/button-link.tsx';
import { Badge, Card } from '../ui/card.tsx';
import { Confirm } from '../ui/dialog.tsx';
import { TextArea, TextField } from '../ui/forms/field.tsx';
import { useToasts } from '../ui/toasts.tsx';
import { helpKey, ownHandQuery, queueQuery, type WaitingHand } from './queries.ts';

/**
 * The hand of a student at a machine.
 * @param place the machine, and the lesson beside it; null: there is no machine yet
 * @returns the actions for the bar of a terminal, and the question of the first
 */
export function useHand(place: { container_id: number; theme_id?: number } | null) {
  const { help: words } = useStrings();
  const queries = useQueryClient();
  const { data } = useQuery({ ...ownHandQuery(place?.container_id ?? 0), enabled: place !== null });
  const [isAsking, setAsking] = useState(false);
  const [text, setText] = useState('');
  const raise = async (): Promise<void> => {
    if (place) await ok(api.POST('/api/hands', { body: { ...place, text } }));
    await queries.invalidateQueries({ queryKey: helpKey });
    setText('');
  };
  const mayRaise = data?.is_allowed && (data.hand === null || data.hand.answer !== null);
  const actions: BarAction[] = mayRaise
    ? [{ label: words.raise, icon: Hand, run: () => setAsking(true), isAlways: true }]
    : [];
  const question = (
    <Confirm
      title={words.raise}
      action={words.raise}
      look="primary"
      isOpen={isAsking}
      onOpenChange={setAsking}
      onConfirm={raise}
    >
      <TextField
        label={words.text}
        help={words.textHelp}
        maxLength={200}
        value={text}
        onChange={({ target }) => setText(target.value)}
      />
    </Confirm>
  );
  return { actions, question };
}

/** What becomes of the student's hand. Screen readers announce its changes. */
export function HandNote({ containerId }: { containerId: number }) {
  const { help: words } = useStrings();
  const hand = useQuery(ownHandQuery(containerId)).data?.hand;
  const close = useCloseHand();
  return (
    <div role="status" aria-label={words.own}>
      {hand && (
        <div className="flex items-start gap-3 border-b bg-info-soft px-4 py-2 text-sm">
          <Hand size={16} aria-hidden="true" className="mt-0.5 shrink-0 text-info" />
          <p className="max-h-32 min-w-0 flex-1 overflow-y-auto whitespace-pre-line [overflow-wrap:anywhere]">
            {hand.answer !== null
              ? `${hand.taken_by}: ${hand.answer}`
              : hand.taken_by === null
                ? words.waiting(hand.ahead)
                : words.coming(hand.taken_by)}
            {hand.container_id !== containerId && ` (${hand.title})`}
          </p>
          <Button size="small" isBusy={close.isPending} onClick={() => close.mutate(hand.id)}>
            {hand.answer === null ? words.lower : words.hide}
          </Button>
        </div>
      )}
    </div>
  );
}

/** Takes a hand down: the user's own, or one that the user has seen to. */
function useCloseHand() {
  const queries = useQueryClient();
  const toasts = useToasts();
  return useMutation({
    mutationFn: (id: number) => ok(api.POST('/api/hands/{id}/close', { params: { path: { id } }, body: {} })),
    onError: toasts.failed,
    onSettled: () => queries.invalidateQueries({ queryKey: helpKey }),
  });
}

/** The raised hands by class, in each oldest first. @param containerId only those at this machine, which is watched */
export function HandQueue({ containerId }: { containerId?: number }) {
  const { help: words } = useStrings();
  const { data = [] } = useQuery(queueQuery);
  const hands = data.filter(({ container_id }) => containerId === undefined || container_id === containerId);
  if (hands.length === 0) return null;
  return (
    <section aria-label={words.queue}>
      <Card>
        <h2 className="font-semibold">{words.queue}</h2>
        <ul className="divide-y">
          {hands.map((hand) => (
            <Raised key={hand.id} hand={hand} isWatched={containerId !== undefined} />
          ))}
        </ul>
      </Card>
    </section>
  );
}

function Raised({ hand, isWatched }: { hand: WaitingHand; isWatched: boolean }) {
  const { help: words, teaching } = useStrings();
  const queries = useQueryClient();
  const toasts = useToasts();
  const [isAnswering, setAnswering] = useState(false);
  const { id, username, full_name, class_name, title, text, raised_at, taken_by, is_watchable, container_id } = hand;
  const name = full_name || username;
  const params = { path: { id } };
  const renew = () => queries.invalidateQueries({ queryKey: helpKey });
  const take = useMutation({
    mutationFn: () => ok(api.POST('/api/instructor/hands/{id}/take', { params })),
    onError: toasts.failed,
    onSettled: renew,
  });
  const close = useCloseHand();
  const [reply, setReply] = useState('');
  const answer = async (): Promise<void> => {
    await ok(api.POST('/api/hands/{id}/close', { params, body: { text: reply } }));
    await renew();
  };
  const of = <span className="sr-only">: {name}</span>;
  return (
    <li className="flex flex-wrap items-center gap-x-4 gap-y-2 py-2.5 text-sm">
      <div className="min-w-0 flex-1 basis-56 [overflow-wrap:anywhere]">
        <p>
          <span className="font-medium">{name}</span> · {[class_name, title].filter(Boolean).join(' · ')} ·{' '}
          <Ago time={raised_at} /> {taken_by !== null && <Badge tone="info">{words.takenBy(taken_by)}</Badge>}
        </p>
        {text !== '' && <p>{text}</p>}
      </div>
      <div className="flex flex-wrap gap-2">
        {taken_by === null && (
          <Button size="small" isBusy={take.isPending} onClick={() => take.mutate()}>
            <Hand size={16} aria-hidden="true" /> {words.take}
            {of}
          </Button>
        )}
        {is_watchable && container_id !== null && !isWatched && (
          <ButtonLink
            to="/teaching/live/$containerId"
            params={{ containerId: `${container_id}` }}
            look="plain"
            size="small"
          >
            <Eye size={16} aria-hidden="true" /> {teaching.watch}
            {of}
          </ButtonLink>
        )}
        <Button size="small" onClick={() => setAnswering(true)}>
          <MessageSquare size={16} aria-hidden="true" /> {words.answer}
          {of}
        </Button>
        <Button size="small" isBusy={close.isPending} onClick={() => close.mutate(id)}>
          <Check size={16} aria-hidden="true" /> {words.done}
          {of}
        </Button>
      </div>
      <Confirm
        title={words.answerTo(name)}
        action={words.answer}
        look="primary"
        isOpen={isAnswering}
        onOpenChange={setAnswering}
        onConfirm={answer}
      >
        <TextArea
          label={words.answerText}
          help={words.answerHelp}
          maxLength={1000}
          value={reply}
          onChange={({ target }) => setReply(target.value)}
        />
      </Confirm>
    </li>
  );
}
