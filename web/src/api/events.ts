import { EventSourceParserStream } from 'eventsource-parser/stream';
import { Problem, refusalOf } from './problem.ts';
import { session } from './session.ts';

/** Milliseconds before a connection that ended is established again: at first, and at most. */
const pause = { first: 1000, most: 15_000 };

/** Milliseconds without a byte after which a connection counts as lost. The service writes something more often. */
const patience = 30_000;

type Listener = {
  signal: AbortSignal;
  onEvent: (event: string, data: unknown) => void;
  /** Whether events arrive. While they do not, what is shown may be old. */
  onLive: (isLive: boolean) => void;
};

/**
 * Follows server-sent events until the signal, and connects again when the connection ends. EventSource of browsers cannot send the token.
 * @throws Problem where the service refuses: it would do so again
 */
export async function followEvents(path: string, { signal, onEvent, onLive }: Listener): Promise<void> {
  let wait = pause.first;
  while (!signal.aborted) {
    try {
      const lost = new AbortController();
      const request = { signal: AbortSignal.any([signal, lost.signal]), headers: { accept: 'text/event-stream' } };
      const response = await session.fetch(path, request);
      if (!response.ok) throw refusalOf(response, await response.json().catch(() => undefined));
      onLive(true);
      wait = pause.first;
      await read(response, onEvent, lost);
    } catch (error) {
      const { status } = error instanceof Problem ? error : { status: 0 };
      if (status >= 400 && status < 500 && status !== 429) throw error;
    }
    if (signal.aborted) return;
    onLive(false);
    await new Promise((resolve) => setTimeout(resolve, wait));
    wait = Math.min(pause.most, wait * 2);
  }
}

/** @param lost aborted after a long silence: a machine that leaves a network does not notice it */
async function read({ body }: Response, onEvent: Listener['onEvent'], lost: AbortController): Promise<void> {
  let timer: ReturnType<typeof setTimeout> | undefined;
  const watch = (): void => {
    clearTimeout(timer);
    timer = setTimeout(() => lost.abort(), patience);
  };
  watch();
  const watched = new TransformStream<string, string>({
    transform: (part, to) => {
      watch();
      to.enqueue(part);
    },
  });
  const events = body
    ?.pipeThrough(new TextDecoderStream())
    .pipeThrough(watched)
    .pipeThrough(new EventSourceParserStream());
  // Not every browser can iterate over a stream.
  const reader = events?.getReader();
  try {
    for (;;) {
      const next = await reader?.read();
      if (!next || next.done) return;
      onEvent(next.value.event ?? 'message', JSON.parse(next.value.data));
    }
  } finally {
    clearTimeout(timer);
  }
}
