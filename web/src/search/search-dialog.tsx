import { useQuery } from '@tanstack/react-query';
import { Fragment, type KeyboardEvent, type MouseEvent, useEffect, useId, useRef, useState } from 'react';
import type { User } from '../api/user.ts';
import { navigate } from '../routing/router.ts';
import { useSpoken, useStrings } from '../strings/use-strings.tsx';
import { classes } from '../ui/classes.ts';
import { useColorScheme } from '../ui/color-scheme.ts';
import { Dialog } from '../ui/dialog.tsx';
import { inputClasses } from '../ui/forms/field.tsx';
import { ProblemNote } from '../ui/problem-note.tsx';
import { takeTyped } from '../ui/search-key.ts';
import { useDebounced } from '../ui/use-debounced.ts';
import { commandsOf, matching } from './commands.ts';
import { openedBy, rememberOpened } from './opened.ts';
import { addressOf, type Result, searchQuery } from './results.ts';

/** Milliseconds without a key after which the service is asked. */
const pause = 120;
const maxLength = 200;

/** Pages and actions that are listed before what the service has found. */
const maxCommands = 6;

type Item = {
  key: string;
  kind: Result['kind'] | 'command' | 'opened';
  title: string;
  where: readonly string[];
  excerpt: Result['excerpt'];
  /** Absent for an action. */
  href?: string;
  run?: () => void;
};

type Props = { user: Pick<User, 'id' | 'role'>; isOpen: boolean; onOpenChange: (isOpen: boolean) => void };

/** Searches what the user may see, and the pages and actions by their names. The arrow keys select a result, and Enter opens it. */
export function SearchDialog({ user, isOpen, onOpenChange }: Props) {
  const t = useStrings();
  return (
    <Dialog title={t.search.title} isOpen={isOpen} onOpenChange={onOpenChange} width="max-w-2xl">
      <Search user={user} onClose={() => onOpenChange(false)} />
    </Dialog>
  );
}

function Search({ user, onClose }: { user: Props['user']; onClose: () => void }) {
  const t = useStrings();
  const listId = useId();
  const [text, setText] = useState('');
  // What was typed before this field was there.
  useEffect(() => {
    const early = takeTyped();
    if (early !== '') setText((now) => early + now);
  }, []);
  const [index, setIndex] = useState(0);
  const asked = useDebounced(text, pause);
  const query = useQuery(searchQuery(asked));
  const isEmpty = text.trim() === '';
  const commands = useCommands(user, text);
  const results = isEmpty
    ? openedBy(user.id).map((opened): Item => ({ ...opened, key: opened.href, kind: 'opened', excerpt: [] }))
    : [...commands, ...(query.data?.results ?? []).map((result) => itemOf(result, user.role === 'admin'))];
  // biome-ignore lint/correctness/useExhaustiveDependencies: other results begin at the first
  useEffect(() => setIndex(0), [query.data, text]);
  const isCurrent = asked === text && !query.isFetching;
  const open = ({ title, where, href, run }: Item): void => {
    onClose();
    run?.();
    if (href === undefined) return;
    rememberOpened(user.id, { title, where: [...where], href });
    navigate({ href });
  };
  const press = (event: KeyboardEvent): void => {
    const step = { ArrowDown: 1, ArrowUp: -1 }[event.key];
    if (step !== undefined && results.length > 0) {
      event.preventDefault();
      setIndex((index + step + results.length) % results.length);
    }
    if (event.key !== 'Enter' || event.nativeEvent.isComposing) return;
    event.preventDefault();
    // Before the results of the whole text have come, the selected one is not what the user means, unless it is known here.
    const result = results[index];
    if (result && (isCurrent || result.kind === 'command' || result.kind === 'opened')) open(result);
  };
  const status = isEmpty || !isCurrent || query.error ? '' : t.search.found(results.length);
  return (
    <form onSubmit={(event) => event.preventDefault()} className="flex min-h-[50dvh] flex-col gap-3">
      <input
        type="search"
        role="combobox"
        aria-label={t.search.label}
        aria-expanded={results.length > 0}
        aria-controls={listId}
        aria-autocomplete="list"
        aria-activedescendant={results.length > 0 ? `${listId}-${index}` : undefined}
        placeholder={t.search.placeholder}
        autoComplete="off"
        maxLength={maxLength}
        className={inputClasses}
        value={text}
        onChange={({ target }) => setText(target.value)}
        onKeyDown={press}
      />
      <p role="status" className={results.length > 0 ? 'sr-only' : 'text-sm text-ink-soft'}>
        {isEmpty ? t.search.help : status}
      </p>
      {query.error && !isEmpty && <ProblemNote error={query.error} retry={() => void query.refetch()} />}
      <ResultList id={listId} results={results} current={index} onSelect={setIndex} onOpen={open} />
    </form>
  );
}

const itemOf = (result: Result, isAdmin: boolean): Item => ({
  ...{ key: `${result.kind} ${result.id}`, kind: result.kind, title: result.title, where: result.where },
  ...{ excerpt: result.excerpt, href: addressOf(result, isAdmin) },
});

function useCommands({ role }: Props['user'], text: string): Item[] {
  const { strings, speak } = useSpoken();
  const [, setScheme] = useColorScheme();
  const found = matching(commandsOf(role, strings, { setScheme, speak }), text).slice(0, maxCommands);
  return found.map((command) => ({ ...command, kind: 'command', excerpt: [] }));
}

type ListProps = {
  id: string;
  results: readonly Item[];
  /** The index of the selected one. */
  current: number;
  onSelect: (index: number) => void;
  onOpen: (result: Item) => void;
};

/** The results by kind. The focus stays in the field above, which names the selected result. */
function ResultList({ id, results, current, onSelect, onOpen }: ListProps) {
  const t = useStrings();
  const kinds = [...new Set(results.map(({ kind }) => kind))];
  const entries = [...results.entries()];
  return (
    <div id={id} role="listbox" aria-label={t.search.results} className="flex flex-col gap-4">
      {kinds.map((kind) => (
        // biome-ignore lint/a11y/useSemanticElements: a group of options is no set of fields
        <div key={kind} role="group" aria-labelledby={`${id}-${kind}`}>
          <div id={`${id}-${kind}`} className="mb-1 px-3 text-xs font-semibold text-ink-soft">
            {t.search.kinds[kind]}
          </div>
          {entries
            .filter(([, result]) => result.kind === kind)
            .map(([index, result]) => (
              <Option
                key={result.key}
                id={`${id}-${index}`}
                result={result}
                isCurrent={index === current}
                onSelect={() => onSelect(index)}
                onOpen={() => onOpen(result)}
              />
            ))}
        </div>
      ))}
    </div>
  );
}

type OptionProps = {
  id: string;
  result: Item;
  isCurrent: boolean;
  onSelect: () => void;
  onOpen: () => void;
};

function Option({ id, result, isCurrent, onSelect, onOpen }: OptionProps) {
  const { title, where, excerpt, href } = result;
  const element = useRef<HTMLAnchorElement>(null);
  useEffect(() => {
    if (isCurrent) element.current?.scrollIntoView({ block: 'nearest' });
  }, [isCurrent]);
  const click = (event: MouseEvent): void => {
    // Any other click opens a tab or a window.
    if (event.metaKey || event.ctrlKey || event.shiftKey || event.altKey) return;
    event.preventDefault();
    onOpen();
  };
  return (
    <a
      ref={element}
      id={id}
      role="option"
      aria-selected={isCurrent}
      tabIndex={-1}
      href={href}
      onClick={click}
      onMouseMove={onSelect}
      className={classes('block rounded-md px-3 py-2', isCurrent && 'bg-accent-soft')}
    >
      <span className="block font-medium">{title}</span>
      {where.length > 0 && <span className="block text-xs text-ink-soft">{where.join(' › ')}</span>}
      {excerpt.length > 0 && (
        <span className="mt-1 line-clamp-2 block text-sm text-ink-soft">
          <Excerpt pieces={excerpt} />
        </span>
      )}
    </a>
  );
}

/** The pieces have no names, and the same text can be a match twice: each is named by where it begins. */
function Excerpt({ pieces }: { pieces: Result['excerpt'] }) {
  let begin = 0;
  return pieces.map(({ text, is_match }) => {
    const key = begin;
    begin += text.length;
    if (!is_match) return <Fragment key={key}>{text}</Fragment>;
    return (
      <mark key={key} className="bg-transparent font-semibold text-ink">
        {text}
      </mark>
    );
  });
}
