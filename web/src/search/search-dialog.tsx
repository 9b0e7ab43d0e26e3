import { useQuery } from '@tanstack/react-query';
import { type KeyboardEvent, useEffect, useId, useState } from 'react';
import { navigate } from '../routing/location.ts';
import { useStrings } from '../strings/use-strings.tsx';
import { Dialog } from '../ui/dialog.tsx';
import { inputClasses } from '../ui/forms/field.tsx';
import { ProblemNote } from '../ui/problem-note.tsx';
import { takeTyped } from '../ui/search-key.ts';
import { useDebounced } from '../ui/use-debounced.ts';
import { ResultList } from './result-list.tsx';
import { addressOf, type Result, searchQuery } from './results.ts';

/** Milliseconds without a key after which the service is asked. */
const pause = 120;
const maxLength = 200;

type Props = { isAdmin: boolean; isOpen: boolean; onOpenChange: (isOpen: boolean) => void };

/** Searches what the user may see. The arrow keys select a result, and Enter opens it. */
export function SearchDialog({ isAdmin, isOpen, onOpenChange }: Props) {
  const t = useStrings();
  return (
    <Dialog title={t.search.title} isOpen={isOpen} onOpenChange={onOpenChange} width="max-w-2xl">
      <Search isAdmin={isAdmin} onClose={() => onOpenChange(false)} />
    </Dialog>
  );
}

function Search({ isAdmin, onClose }: { isAdmin: boolean; onClose: () => void }) {
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
  const results = isEmpty ? [] : (query.data?.results ?? []);
  // biome-ignore lint/correctness/useExhaustiveDependencies: other results begin at the first
  useEffect(() => setIndex(0), [query.data]);
  const isCurrent = asked === text && !query.isFetching;
  const open = (result: Result): void => {
    onClose();
    navigate(addressOf(result, isAdmin));
  };
  const press = (event: KeyboardEvent): void => {
    const step = { ArrowDown: 1, ArrowUp: -1 }[event.key];
    if (step !== undefined && results.length > 0) {
      event.preventDefault();
      setIndex((index + step + results.length) % results.length);
    }
    if (event.key !== 'Enter' || event.nativeEvent.isComposing) return;
    event.preventDefault();
    // Before the results of the whole text have come, the selected one is not what the user means.
    const result = results[index];
    if (result && isCurrent) open(result);
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
      <ResultList id={listId} results={results} current={index} isAdmin={isAdmin} onSelect={setIndex} onOpen={open} />
    </form>
  );
}
