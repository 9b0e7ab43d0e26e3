import { useStrings } from '../strings/use-strings.tsx';
import { Dialog } from '../ui/dialog.tsx';

/** The keys that the terminal does not pass on to the shell. */
const keys = [
  ['Ctrl+Shift+↑', 'text'],
  ['Ctrl+Shift+↓', 'leave'],
  ['Ctrl+Shift+Enter', 'fullScreen'],
  ['Ctrl+Shift+F', 'find'],
  ['Ctrl+Shift+C', 'copy'],
  ['Ctrl+V', 'paste'],
  ['Ctrl+Shift+S', 'newTab'],
  ['Ctrl+Shift+← →', 'switchTab'],
] as const;

/** The shortcuts of the terminal. */
export function ShortcutsDialog({ onClose }: { onClose: () => void }) {
  const words = useStrings().terminal.shortcuts;
  return (
    <Dialog title={words.title} isOpen onOpenChange={onClose}>
      <dl className="grid grid-cols-[auto_1fr] gap-x-4 gap-y-2 text-sm">
        {keys.map(([key, name]) => (
          <div key={name} className="contents">
            <dt>
              <kbd className="rounded border bg-sunken px-1.5 py-0.5 font-mono text-xs whitespace-nowrap">{key}</kbd>
            </dt>
            <dd>{words.keys[name]}</dd>
          </div>
        ))}
      </dl>
    </Dialog>
  );
}
