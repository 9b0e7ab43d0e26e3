import { Eye, SquarePlus, X } from 'lucide-react';
import { useStrings } from '../strings/use-strings.tsx';
import { IconButton } from '../ui/button.tsx';
import type { ShellInfo } from './shell.tsx';
import type { Tab } from './shell-id.ts';

/** The shells of a machine, to choose from. A single one needs no choice. */
export function ShellTabs({
  tabs,
  active,
  infos,
  onSelect,
  onClose,
  onRename,
  onOpen,
}: {
  tabs: readonly Tab[];
  active: number;
  infos: ReadonlyMap<number, ShellInfo>;
  onSelect: (tab: number) => void;
  onClose: (tab: number) => void;
  onRename: (tab: number) => void;
  onOpen: () => void;
}) {
  const { terminal: words } = useStrings();
  if (tabs.length < 2) return null;
  return (
    <nav
      aria-label={words.tabs.label}
      className="flex items-center gap-1 overflow-x-auto border-b bg-surface px-2 pt-1"
    >
      <ul className="flex gap-1">
        {tabs.map(({ number, name }) => (
          <li
            key={number}
            className="flex items-center rounded-t border border-b-0 text-sm has-aria-[current]:bg-accent-soft"
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
              {infos.get(number)?.isWatched && (
                <Eye size={14} aria-label={words.watched} className="shrink-0 text-warn" />
              )}
            </button>
            <IconButton
              label={words.tabs.close(name ?? `${number}`)}
              disabled={infos.get(number)?.isHeld ?? false}
              onClick={() => onClose(number)}
            >
              <X size={14} aria-hidden="true" />
            </IconButton>
          </li>
        ))}
      </ul>
      <IconButton label={words.tabs.open} onClick={onOpen}>
        <SquarePlus size={16} aria-hidden="true" />
      </IconButton>
    </nav>
  );
}
