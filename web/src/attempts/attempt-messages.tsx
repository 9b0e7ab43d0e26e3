import { MessageSquare } from 'lucide-react';
import { useFormat, useStrings } from '../strings/use-strings.tsx';
import type { Attempt } from './active.ts';

/** The messages of the instructor, the newest last. Screen readers announce new ones. */
export function AttemptMessages({ messages }: { messages: NonNullable<Attempt['messages']> }) {
  const t = useStrings();
  const format = useFormat();
  return (
    <div role="status" aria-label={t.attempts.messages}>
      {messages.length > 0 && (
        <ul className="flex max-h-32 flex-col gap-1 overflow-y-auto border-b bg-warn-soft px-4 py-2 text-sm">
          {messages.map(({ id, text, created_at }) => (
            <li key={id} className="flex items-start gap-2">
              <MessageSquare size={16} aria-hidden="true" className="mt-0.5 shrink-0 text-warn" />
              <span className="min-w-0 flex-1 [overflow-wrap:anywhere] whitespace-pre-line">{text}</span>
              <time dateTime={created_at} className="shrink-0 text-ink-soft tabular-nums">
                {format.clock(created_at)}
              </time>
            </li>
          ))}
        </ul>
      )}
    </div>
  );
}
