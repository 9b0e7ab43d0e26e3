import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { useCallback, useEffect, useRef, useState } from 'react';
import { sandboxesQuery, templatesQuery } from '../sandboxes/queries.ts';
import type { TerminalState } from '../terminal/connection.ts';
import type { TerminalHandle } from '../terminal/terminal-pane.tsx';
import { useKeptTerminal } from './kept-terminal.ts';
import { fits, prepareSandbox } from './lesson-sandbox.ts';

export type LessonTerminal = ReturnType<typeof useLessonTerminal>;

const millisecondsToPrompt = 500;

/** The template of a lesson, once the lesson and the templates are known. */
function useTemplate(templateId: number | null | undefined) {
  const query = useQuery({ ...templatesQuery, enabled: typeof templateId === 'number' });
  const template = query.data?.find(({ id }) => id === templateId);
  /** The user can create no sandbox of it: it was hidden, or is for other roles. */
  const isUnavailable = typeof templateId === 'number' && query.data !== undefined && template === undefined;
  return {
    template,
    isUnavailable,
    error: query.error,
    /** Null: any sandbox will do. Undefined: not known yet. */
    wanted: templateId === null || isUnavailable ? null : template?.id,
  };
}

/**
 * The terminal beside a lesson: a sandbox of the lesson's template, which is reused, started or created when the terminal is opened, and
 * the queued input. Another lesson with another template gets a sandbox of that one. None is created then without a click.
 * @param templateId of the lesson. Null: any sandbox will do. Undefined: not known yet
 */
export function useLessonTerminal(templateId: number | null | undefined) {
  const client = useQueryClient();
  const { template, isUnavailable, wanted, error: templateError } = useTemplate(templateId);
  const [{ isOpen, choice }, setKept] = useKeptTerminal();
  const [state, setState] = useState<TerminalState>('connecting');
  const handle = useRef<TerminalHandle>(null);
  const waiting = useRef<{ keys: string; templateId: number | null | undefined }[]>([]);
  const [question, setQuestion] = useState<string>();
  /** The sandbox that the user has confirmed for a lesson with another template. Without an id, the one that is opened then. */
  const [confirmed, setConfirmed] = useState<{ templateId: number | null | undefined; id: number | undefined }>();
  const mayCreate = useRef(false);
  const { mutate, reset, data, error, isPending } = useMutation({
    mutationFn: prepareSandbox,
    onSettled: () => client.invalidateQueries({ queryKey: sandboxesQuery.queryKey }),
  });
  const chosenId = choice && choice.templateId === templateId ? choice.id : undefined;
  const isRight = data ? wanted !== undefined && (fits(data, wanted) || data.id === chosenId) : false;
  /** The shown sandbox is not of the lesson's template. */
  const isOther = typeof templateId === 'number' && (data ? data.template_id !== templateId : isUnavailable);
  const isConfirmed =
    confirmed !== undefined &&
    confirmed.templateId === templateId &&
    (confirmed.id === undefined || confirmed.id === data?.id);

  const prepare = useCallback(
    (ask: { mayCreate: boolean; id: number | undefined }) => {
      if (wanted === undefined) return;
      setState('connecting');
      reset();
      mutate({ templateId: wanted, ...ask });
    },
    [mutate, reset, wanted],
  );
  // biome-ignore lint/correctness/useExhaustiveDependencies: it runs when the terminal opens, and for each template
  useEffect(() => {
    if (!isOpen || wanted === undefined || isRight) return;
    prepare({ mayCreate: mayCreate.current, id: chosenId });
    mayCreate.current = false;
  }, [isOpen, wanted, templateId]);

  const open = useCallback(() => {
    mayCreate.current = true;
    setKept((kept) => ({ ...kept, isOpen: true }));
  }, [setKept]);
  const close = useCallback(() => {
    waiting.current = [];
    reset();
    setKept((kept) => ({ ...kept, isOpen: false }));
  }, [reset, setKept]);
  /** Shows a sandbox, also one of another template. */
  const choose = useCallback(
    (id: number) => {
      waiting.current = [];
      if (templateId !== undefined) setKept({ isOpen: true, choice: { templateId, id } });
      prepare({ mayCreate: false, id });
    },
    [prepare, setKept, templateId],
  );
  /** Shows a sandbox of the lesson's template, and creates it if there is none. */
  const openRight = useCallback(() => {
    setKept({ isOpen: true, choice: undefined });
    prepare({ mayCreate: true, id: undefined });
  }, [prepare, setKept]);
  const prepareAgain = useCallback(() => prepare({ mayCreate: true, id: data?.id }), [prepare, data?.id]);

  const isReady = isOpen && state === 'open' && isRight;
  const send = useCallback(
    (keys: string) => {
      if (isReady) {
        handle.current?.type(keys);
        return;
      }
      waiting.current.push({ keys, templateId });
      if (!isOpen) open();
      else if (data === null) openRight();
    },
    [isReady, isOpen, data, open, openRight, templateId],
  );
  const run = useCallback(
    (commands: string) => {
      const keys = `${commands.replaceAll('\n', '\r')}\r`;
      if (isOther && !isConfirmed) setQuestion(keys);
      else send(keys);
    },
    [isOther, isConfirmed, send],
  );
  const runAnyway = useCallback(() => {
    setConfirmed({ templateId, id: data?.id });
    if (question !== undefined) send(question);
  }, [templateId, data?.id, question, send]);
  const latest = useRef({ templateId, isAsked: false });
  latest.current = { templateId, isAsked: isOther && !isConfirmed };
  const onState = useCallback((next: TerminalState) => {
    setState(next);
    if (next !== 'open') return;
    // Input before the shell's first prompt is run as well, but is shown twice.
    setTimeout(() => {
      // What was meant for another lesson's machine is dropped.
      const own = waiting.current.splice(0).filter((one) => one.templateId === latest.current.templateId);
      if (own.length > 0 && latest.current.isAsked) setQuestion(own.map(({ keys }) => keys).join(''));
      else for (const { keys } of own) handle.current?.type(keys);
    }, millisecondsToPrompt);
  }, []);

  return {
    ...{ isOpen, template, isUnavailable, isOther, state, handle, isPending },
    /** Null where a sandbox has to be created first. */
    container: data,
    error: templateError ?? error,
    isQuestion: question !== undefined,
    closeQuestion: () => setQuestion(undefined),
    ...{ open, close, choose, openRight, run, runAnyway, onState, prepareAgain },
  };
}
