import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { useCallback, useEffect, useRef, useState } from 'react';
import { sandboxesQuery, templatesQuery } from '../sandboxes/queries.ts';
import type { TerminalState } from '../terminal/connection.ts';
import type { TerminalHandle } from '../terminal/terminal-pane.tsx';
import { fits, prepareSandbox, type Wanted } from './lesson-sandbox.ts';

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
 * The terminal beside a lesson: a running sandbox of the lesson's template, and the queued input. Another lesson with another template
 * gets a sandbox of that one. None is started or created before the user has agreed, as by opening the terminal.
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
  /** Whether commands wait for a sandbox. */
  const [isQueued, setQueued] = useState(false);
  const { mutate, reset, data, error, isPending, variables } = useMutation({
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
    (ask: Omit<Wanted, 'templateId'>) => {
      if (wanted === undefined) return;
      setState('connecting');
      reset();
      mutate({ templateId: wanted, ...ask });
    },
    [mutate, reset, wanted],
  );
  /** Whether the user has opened the terminal, and no sandbox was prepared for it yet. */
  const isOpened = useRef(false);
  // biome-ignore lint/correctness/useExhaustiveDependencies: it runs when the terminal opens, and for each template
  useEffect(() => {
    if (!isOpen || wanted === undefined || isRight) return;
    prepare({ isAgreed: isOpened.current, id: chosenId });
    isOpened.current = false;
  }, [isOpen, wanted, templateId]);

  const show = useCallback(() => setKept((kept) => ({ ...kept, isOpen: true })), [setKept]);
  /** The button says what it does, so it is not asked for again. */
  const open = useCallback(() => {
    isOpened.current = true;
    show();
  }, [show]);
  const forgetQueued = useCallback(() => {
    waiting.current = [];
    setQueued(false);
  }, []);
  const close = useCallback(() => {
    forgetQueued();
    reset();
    isOpened.current = false;
    setKept((kept) => ({ ...kept, isOpen: false }));
  }, [forgetQueued, reset, setKept]);
  /** Shows a sandbox, also one of another template. A stopped one is started. */
  const choose = useCallback(
    (id: number) => {
      forgetQueued();
      if (templateId !== undefined) setKept({ isOpen: true, choice: { templateId, id } });
      prepare({ isAgreed: true, id });
    },
    [forgetQueued, prepare, setKept, templateId],
  );
  /** Shows a sandbox of the lesson's template. One is started or created only where the user has agreed. */
  const openRight = useCallback(
    (agreement: { isAgreed: boolean; removeId?: number | undefined } = { isAgreed: false }) => {
      setKept({ isOpen: true, choice: undefined });
      prepare({ ...agreement, id: undefined });
    },
    [prepare, setKept],
  );
  const startAgain = useCallback(() => prepare({ isAgreed: true, id: data?.id }), [prepare, data?.id]);
  const retry = useCallback(() => variables && prepare({ ...variables, removeId: undefined }), [prepare, variables]);

  const isReady = isOpen && state === 'open' && isRight;
  const send = useCallback(
    (keys: string) => {
      if (isReady) {
        handle.current?.type(keys);
        return;
      }
      waiting.current.push({ keys, templateId });
      setQueued(true);
      if (!isOpen) show();
    },
    [isReady, isOpen, show, templateId],
  );
  const sendOrAsk = useCallback(
    (keys: string) => {
      if (isOther && !isConfirmed) setQuestion(keys);
      else send(keys);
    },
    [isOther, isConfirmed, send],
  );
  /** Whether the sandbox of the lesson is known, or will not be. */
  const isSettled = wanted !== undefined || templateError !== null;
  /** Commands that the user has run, until that is known. */
  const [given, setGiven] = useState<{ keys: string; templateId: number | null | undefined }>();
  useEffect(() => {
    if (given === undefined || !isSettled) return;
    setGiven(undefined);
    // Commands for another lesson's machine are dropped.
    if (given.templateId === undefined || given.templateId === templateId) sendOrAsk(given.keys);
  }, [given, isSettled, templateId, sendOrAsk]);
  const run = useCallback(
    (commands: string) => {
      const keys = `${commands.replaceAll('\n', '\r')}\r`;
      setGiven((before) => ({ keys: `${before?.keys ?? ''}${keys}`, templateId }));
    },
    [templateId],
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
      // Input for another lesson's machine is dropped.
      setQueued(false);
      const own = waiting.current.splice(0).filter((one) => one.templateId === latest.current.templateId);
      if (own.length > 0 && latest.current.isAsked) setQuestion(own.map(({ keys }) => keys).join(''));
      else for (const { keys } of own) handle.current?.type(keys);
    }, millisecondsToPrompt);
  }, []);

  return {
    ...{ isOpen, template, isUnavailable, isOther, state, handle, isPending, isQueued, wanted },
    /** Null where a sandbox has to be started or created first. */
    container: data,
    error: templateError ?? error,
    isQuestion: question !== undefined,
    closeQuestion: () => setQuestion(undefined),
    ...{ open, close, choose, openRight, run, runAnyway, onState, startAgain, retry },
  };
}

const key = 'lesson-terminal';

/** The terminal beside the lessons of a tab, and the sandbox that the user has chosen for lessons with a template. */
type KeptTerminal = { isOpen: boolean; choice: { templateId: number | null; id: number } | undefined };

const closed: KeptTerminal = { isOpen: false, choice: undefined };

function read(): KeptTerminal {
  try {
    return { ...closed, ...JSON.parse(sessionStorage.getItem(key) ?? '{}') };
  } catch {
    return closed;
  }
}

/** State that a reload of the tab keeps. */
function useKeptTerminal() {
  const [kept, setKept] = useState(read);
  useEffect(() => {
    try {
      sessionStorage.setItem(key, JSON.stringify(kept));
    } catch {
      // It is closed after a reload then.
    }
  }, [kept]);
  return [kept, setKept] as const;
}
