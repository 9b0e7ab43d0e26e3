import { CaseSensitive, ChevronDown, ChevronUp, X } from 'lucide-react';
import { useState } from 'react';
import { useStrings } from '../strings/use-strings.tsx';
import { IconButton } from '../ui/button.tsx';
import { classes } from '../ui/classes.ts';
import { inputClasses } from '../ui/forms/field.tsx';
import type { Matches, Search } from './searches.ts';

/** The search in a terminal, with the number of matches. It floats over the screen, which keeps its size. */
export function Finder({
  matches,
  onFind,
  onClose,
}: {
  matches: Matches;
  onFind: (text: string, search: Search, isTyping: boolean) => void;
  onClose: () => void;
}) {
  const { terminal: words, common } = useStrings();
  const [text, setText] = useState('');
  const [isCaseSensitive, setCaseSensitive] = useState(false);
  const find = (direction: Search['direction']) => onFind(text, { direction, isCaseSensitive }, false);
  const { index, count } = matches;
  const isFound = text === '' || count > 0;
  return (
    <form
      className="absolute top-2 right-2 z-10 flex max-w-[calc(100%-1rem)] items-center gap-1 rounded-md border bg-raised p-1.5 shadow-lg"
      onSubmit={(event) => {
        event.preventDefault();
        find('next');
      }}
      onKeyDown={(event) => {
        if (event.key === 'Escape') onClose();
        if (event.key !== 'Enter' || !event.shiftKey) return;
        event.preventDefault();
        find('previous');
      }}
    >
      <input
        // biome-ignore lint/a11y/noAutofocus: it was asked for by a key or a button
        autoFocus
        aria-label={words.find}
        aria-invalid={!isFound}
        value={text}
        onChange={({ target: { value } }) => {
          setText(value);
          onFind(value, { direction: 'next', isCaseSensitive }, true);
        }}
        className={classes(inputClasses, 'min-h-8! min-w-0 max-w-56 py-1!')}
      />
      <IconButton
        label={words.findCase}
        aria-pressed={isCaseSensitive}
        className="aria-pressed:bg-accent-soft"
        onClick={() => {
          setCaseSensitive(!isCaseSensitive);
          onFind(text, { direction: 'next', isCaseSensitive: !isCaseSensitive }, true);
        }}
      >
        <CaseSensitive size={18} aria-hidden="true" />
      </IconButton>
      <IconButton label={words.findPrevious} onClick={() => find('previous')}>
        <ChevronUp size={16} aria-hidden="true" />
      </IconButton>
      <IconButton label={words.findNext} type="submit">
        <ChevronDown size={16} aria-hidden="true" />
      </IconButton>
      <span role="status" className={classes('text-sm whitespace-nowrap', isFound ? 'text-ink-soft' : 'text-bad')}>
        {text !== '' && (isFound ? words.matches(index < 0 ? undefined : index + 1, count) : words.notFound)}
      </span>
      <IconButton label={common.close} onClick={onClose}>
        <X size={16} aria-hidden="true" />
      </IconButton>
    </form>
  );
}
