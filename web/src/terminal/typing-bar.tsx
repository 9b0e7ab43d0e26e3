import { Keyboard } from 'lucide-react';
import { useStrings } from '../strings/use-strings.tsx';
import { Button } from '../ui/button.tsx';
import type { Typing, TypingAct } from './messages.ts';

/** Above a terminal: a watcher asks to type along, its user allows that or not, and both see who types and end it. */
export function TypingBar({
  typing,
  isWatching,
  onAct,
}: {
  /** Undefined: nobody has asked on this connection. */
  typing: Typing | undefined;
  isWatching: boolean;
  onAct: (act: TypingAct) => void;
}) {
  const words = useStrings().terminal.typing;
  const state = typing?.state ?? 'ended';
  const name = typing?.name ?? '';
  const isShown = isWatching || state !== 'ended';
  const reason = typing?.reason;
  const text =
    state === 'asked'
      ? isWatching
        ? words.asked(name)
        : words.question(name)
      : state === 'active'
        ? `${isWatching ? words.helping(name) : words.helped(name)}${typing?.is_typing ? ` ${words.types(name)}` : ''}`
        : isWatching && reason
          ? words.reasons[reason]
          : '';
  const act = (label: string, what: TypingAct, look: 'primary' | 'plain' = 'plain') => (
    <Button size="small" look={look} onClick={() => onAct(what)}>
      {label}
    </Button>
  );
  return (
    <div
      className={
        isShown
          ? `flex shrink-0 flex-wrap items-center gap-x-3 gap-y-1 border-b px-3 py-1 text-sm ${state === 'ended' ? 'bg-surface' : 'bg-warn-soft'}`
          : 'sr-only'
      }
    >
      <p role="status" aria-label={words.label} className="min-w-0 flex-1 basis-48 [overflow-wrap:anywhere]">
        {text}
      </p>
      {isShown && (
        <div className="flex gap-2">
          {state === 'ended' && isWatching && (
            <Button size="small" onClick={() => onAct('ask_to_type')}>
              <Keyboard size={16} aria-hidden="true" /> {words.ask}
            </Button>
          )}
          {state === 'asked' && !isWatching && (
            <>
              {act(words.allow, 'allow_typing', 'primary')}
              {act(words.refuse, 'refuse_typing')}
            </>
          )}
          {state === 'asked' && isWatching && act(words.withdraw, 'end_typing')}
          {state === 'active' && act(words.end, 'end_typing')}
        </div>
      )}
    </div>
  );
}
