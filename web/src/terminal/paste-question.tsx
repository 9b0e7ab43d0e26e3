import { useStrings } from '../strings/use-strings.tsx';
import { Confirm } from '../ui/dialog.tsx';

/** Characters that are shown of a paste. */
const mostShown = 2000;

/** Asks before lines are pasted that the shell would run at once. */
export function PasteQuestion({
  text,
  onPaste,
  onClose,
}: {
  text: string | undefined;
  onPaste: (text: string) => void;
  onClose: () => void;
}) {
  const { terminal: words } = useStrings();
  const lines = text?.replace(/[\r\n]+$/, '').split(/\r\n|\r|\n/).length ?? 0;
  return (
    <Confirm
      title={words.paste.title(lines)}
      action={words.paste.action}
      look="primary"
      isOpen={text !== undefined}
      onOpenChange={(isOpen) => !isOpen && onClose()}
      onConfirm={async () => text !== undefined && onPaste(text)}
    >
      <p>{words.paste.help}</p>
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: it can be scrolled */}
      <pre tabIndex={0} className="mt-2 max-h-48 overflow-auto rounded bg-sunken p-2 text-xs">
        {text?.slice(0, mostShown)}
        {(text?.length ?? 0) > mostShown && '…'}
      </pre>
    </Confirm>
  );
}
