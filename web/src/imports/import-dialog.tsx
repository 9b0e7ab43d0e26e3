import { useState } from 'react';
import { useStrings } from '../strings/use-strings.tsx';
import { Confirm, Dialog } from '../ui/dialog.tsx';
import { CheckStep } from './check-step.tsx';
import type { ImportCheck } from './import-calls.ts';
import type { ImportKind } from './import-kind.ts';
import { SourceStep } from './source-step.tsx';

type Checked = { file: Blob; check: ImportCheck };

/** Imports a file or a pasted text: it is checked and its columns are shown before anything is written. */
export function ImportDialog<Result>({
  kind,
  isOpen,
  onClose,
}: {
  kind: ImportKind<Result>;
  isOpen: boolean;
  onClose: () => void;
}) {
  const t = useStrings();
  const [given, setGiven] = useState('');
  const [checked, setChecked] = useState<Checked>();
  const [result, setResult] = useState<Result>();
  const [isAsking, setAsking] = useState(false);
  const close = (): void => {
    setGiven('');
    setChecked(undefined);
    setResult(undefined);
    onClose();
  };
  const imported = (found: Result): void => {
    kind.onImported?.(found);
    if (kind.result) setResult(found);
    else close();
  };
  const shown = result === undefined ? undefined : kind.result?.(result, close);
  return (
    <>
      <Dialog
        title={shown?.title ?? kind.texts.title}
        description={shown?.description ?? (checked ? t.imports.checkLead : kind.texts.lead)}
        width="max-w-3xl"
        isOpen={isOpen}
        onOpenChange={() => (shown?.isShownOnce ? setAsking(true) : close())}
      >
        {shown?.content ??
          (checked ? (
            <CheckStep
              kind={kind}
              {...checked}
              onChecked={setChecked}
              onBack={() => setChecked(undefined)}
              onDone={imported}
            />
          ) : (
            <SourceStep kind={kind} given={given} onGiven={setGiven} onChecked={setChecked} />
          ))}
      </Dialog>
      <Confirm
        title={t.imports.closeTitle}
        action={t.imports.closeNow}
        isOpen={isAsking}
        onOpenChange={setAsking}
        onConfirm={async () => close()}
      >
        {t.imports.closeHelp}
      </Confirm>
    </>
  );
}
