import { Fragment, type MouseEvent, useEffect, useRef } from 'react';
import { useStrings } from '../strings/use-strings.tsx';
import { classes } from '../ui/classes.ts';
import { addressOf, type Result } from './results.ts';

type Props = {
  id: string;
  results: readonly Result[];
  /** The index of the selected one. */
  current: number;
  isAdmin: boolean;
  onSelect: (index: number) => void;
  onOpen: (result: Result) => void;
};

/** The results by kind. The focus stays in the field above, which names the selected result. */
export function ResultList({ id, results, current, isAdmin, onSelect, onOpen }: Props) {
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
                key={`${kind} ${result.id}`}
                id={`${id}-${index}`}
                result={result}
                href={addressOf(result, isAdmin)}
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
  result: Result;
  href: string;
  isCurrent: boolean;
  onSelect: () => void;
  onOpen: () => void;
};

function Option({ id, result, href, isCurrent, onSelect, onOpen }: OptionProps) {
  const { title, where, excerpt } = result;
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
