import { ChevronDown, ChevronUp, X } from 'lucide-react';
import { useState } from 'react';
import { useStrings } from '../strings/use-strings.tsx';
import { IconButton } from '../ui/button.tsx';
import { classes } from '../ui/classes.ts';
import { inputClasses } from '../ui/field.tsx';

/** The search in a terminal. */
export function Finder({
  onFind,
  onClose,
}: {
  onFind: (text: string, direction: 'next' | 'previous') => boolean;
  onClose: () => void;
}) {
  const t = useStrings();
  const [text, setText] = useState('');
  const [isFound, setFound] = useState(true);
  const find = (direction: 'next' | 'previous') => setFound(text === '' || onFind(text, direction));
  return (
    <form
      className="flex items-center gap-1 border-b bg-surface p-1.5"
      onSubmit={(event) => {
        event.preventDefault();
        find('next');
      }}
      onKeyDown={(event) => event.key === 'Escape' && onClose()}
    >
      <input
        // biome-ignore lint/a11y/noAutofocus: it was asked for by a key or a button
        autoFocus
        aria-label={t.terminal.find}
        aria-invalid={!isFound}
        value={text}
        onChange={(event) => setText(event.target.value)}
        className={classes(inputClasses, 'max-w-64 py-1!')}
      />
      <IconButton label={t.terminal.findPrevious} onClick={() => find('previous')}>
        <ChevronUp size={16} aria-hidden="true" />
      </IconButton>
      <IconButton label={t.terminal.findNext} type="submit">
        <ChevronDown size={16} aria-hidden="true" />
      </IconButton>
      {!isFound && <span className="text-sm text-bad">{t.terminal.notFound}</span>}
      <IconButton label={t.common.close} className="ml-auto" onClick={onClose}>
        <X size={16} aria-hidden="true" />
      </IconButton>
    </form>
  );
}
