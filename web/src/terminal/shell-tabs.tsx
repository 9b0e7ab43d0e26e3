import { Eye, SquarePlus, X } from 'lucide-react';
import { useStrings } from '../strings/use-strings.tsx';
import { IconButton } from '../ui/button.tsx';
import { classes } from '../ui/classes.ts';
import type { Tab } from './shell-id.ts';
import type { ShownState } from './use-terminal-state.ts';

/** Scrolls to the chosen tab where they do not all fit. */
const showInBar = (tab: HTMLElement | null): void => tab?.scrollIntoView({ block: 'nearest', inline: 'nearest' });

/** The shells of a machine, to choose from, and a button for another one. A single one needs no choice. */
export function ShellTabs({
  tabs,
  active,
  reports,
  onSelect,
  onClose,
  onRename,
  onOpen,
}: {
  tabs: readonly Tab[];
  active: number;
  reports: ReadonlyMap<number, ShownState>;
  onSelect: (tab: number) => void;
  onClose: (tab: number) => void;
  onRename: (tab: number) => void;
  onOpen: () => void;
}) {
  const { terminal: words } = useStrings();
  const open = (
    <IconButton label={words.tabs.open} className="shrink-0" onClick={onOpen}>
      <SquarePlus size={16} aria-hidden="true" />
    </IconButton>
  );
  if (tabs.length < 2) return open;
  return (
    <nav aria-label={words.tabs.label} className="flex min-w-24 items-center gap-1">
      <ul className="flex gap-1 overflow-x-auto">
        {tabs.map(({ number, name }) => (
          <li
            key={number}
            ref={number === active ? showInBar : undefined}
            className="flex shrink-0 items-center rounded-md border has-aria-[current]:bg-accent-soft"
          >
            <button
              type="button"
              aria-current={number === active ? 'true' : undefined}
              onClick={() => onSelect(number)}
              onDoubleClick={() => onRename(number)}
              className="flex min-h-8 max-w-40 min-w-9 items-center gap-1 px-2"
            >
              <span className="sr-only">{words.tabs.shell} </span>
              <span className="truncate">{name ?? number}</span>
              {reports.get(number)?.isWatched && (
                <Eye size={14} aria-label={words.watched} className="shrink-0 text-warn" />
              )}
            </button>
            <IconButton
              className={classes(number !== active && '@max-lg:hidden')}
              label={words.tabs.close(name ?? `${number}`)}
              disabled={reports.get(number)?.isHeld ?? false}
              onClick={() => onClose(number)}
            >
              <X size={14} aria-hidden="true" />
            </IconButton>
          </li>
        ))}
      </ul>
      {open}
    </nav>
  );
}
