import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useCallback, useMemo, useRef, useState } from 'react';
import { api } from '../api/client.ts';
import { ok } from '../api/problem.ts';
import { type Container, sandboxesQuery } from '../sandboxes/queries.ts';
import type { TerminalState } from '../terminal/connection.ts';
import type { TerminalHandle } from '../terminal/terminal-pane.tsx';

export type LessonTerminal = ReturnType<typeof useLessonTerminal>;

const millisecondsToPrompt = 500;
const millisecondsBetweenLooks = 500;
const maxLooks = 120;

/**
 * The terminal beside a lesson: the user's sandbox, which is reused, started or created when the terminal is opened, and the queued input.
 */
export function useLessonTerminal() {
  const client = useQueryClient();
  const [isOpen, setOpen] = useState(false);
  const [state, setState] = useState<TerminalState>('connecting');
  const handle = useRef<TerminalHandle>(null);
  const waiting = useRef<string[]>([]);
  const { mutate, reset, data, error, isPending } = useMutation({
    mutationFn: prepare,
    onSettled: () => client.invalidateQueries({ queryKey: sandboxesQuery.queryKey }),
  });
  const isReady = isOpen && state === 'open' && data !== undefined;

  const prepareAgain = useCallback(() => {
    setState('connecting');
    reset();
    mutate();
  }, [mutate, reset]);
  const open = useCallback(() => {
    setOpen(true);
    prepareAgain();
  }, [prepareAgain]);
  const close = useCallback(() => {
    waiting.current = [];
    setOpen(false);
  }, []);
  const run = useCallback(
    (commands: string) => {
      const keys = `${commands.replaceAll('\n', '\r')}\r`;
      if (isReady) {
        handle.current?.type(keys);
        return;
      }
      waiting.current.push(keys);
      if (!isOpen) open();
    },
    [isReady, isOpen, open],
  );
  const onState = useCallback((next: TerminalState) => {
    setState(next);
    if (next !== 'open') return;
    // Input before the shell's first prompt is run as well, but is shown twice.
    setTimeout(() => {
      for (const keys of waiting.current.splice(0)) handle.current?.type(keys);
    }, millisecondsToPrompt);
  }, []);

  return useMemo(
    () => ({ isOpen, container: data, error, isPending, state, handle, open, close, run, onState, prepareAgain }),
    [isOpen, data, error, isPending, state, open, close, run, onState, prepareAgain],
  );
}

/** A running sandbox: an already running one, otherwise one that is started, otherwise a new one. @throws Problem */
async function prepare(): Promise<Container> {
  const sandboxes = await ok(api.GET('/api/containers/sandbox'));
  const withStatus = (status: Container['status']) => sandboxes.find((sandbox) => sandbox.status === status);
  const running = withStatus('running');
  if (running) return running;
  const stopped = withStatus('stopped');
  if (stopped) return await ok(api.POST('/api/containers/{id}/start', { params: { path: { id: stopped.id } } }));
  const made = withStatus('creating') ?? (await ok(api.POST('/api/containers/create', { body: {} })));
  return await untilMade(made);
}

async function untilMade(container: Container): Promise<Container> {
  let latest = container;
  for (let looks = 0; latest.status === 'creating' && looks < maxLooks; looks += 1) {
    await new Promise((resolve) => setTimeout(resolve, millisecondsBetweenLooks));
    latest = await ok(api.GET('/api/containers/{id}', { params: { path: { id: container.id } } }));
  }
  return latest;
}
