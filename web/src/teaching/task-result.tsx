import { CircleCheck, CircleX } from 'lucide-react';
import { useState } from 'react';
import { useStrings } from '../strings/use-strings.tsx';
import { Button } from '../ui/button.tsx';
import { Card } from '../ui/card.tsx';
import type { Attempt } from './queries.ts';

/** The number of files that are shown initially. */
const fewFiles = 10;
const output = 'max-h-96 overflow-auto rounded-md bg-sunken p-3 font-mono text-xs whitespace-pre-wrap break-words';

/** The result of a task's check. */
export function TaskResult({ result }: { result: Attempt['results'][number] }) {
  const t = useStrings();
  const { title, passed, points, points_earned } = result;
  const Icon = passed ? CircleCheck : CircleX;
  return (
    <Card className="flex flex-col gap-3">
      <div className="flex items-start gap-3">
        <Icon size={20} aria-hidden="true" className={passed ? 'shrink-0 text-good' : 'shrink-0 text-bad'} />
        <h3 className="min-w-0 flex-1 font-medium break-words">
          {title} <span className="sr-only">: {passed ? t.teaching.passed : t.teaching.failed}</span>
        </h3>
        <span className="text-sm whitespace-nowrap text-ink-soft tabular-nums">
          {t.teaching.scoreOf(points_earned, points)}
        </span>
      </div>
      <details open={!passed}>
        <summary className="text-sm text-ink-soft">{t.teaching.output}</summary>
        {result.output.trim() ? (
          // biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be reachable by the keyboard
          <pre tabIndex={0} className={`mt-2 ${output}`}>
            {result.output}
          </pre>
        ) : (
          <p className="mt-2 text-sm text-ink-soft">{t.teaching.noOutput}</p>
        )}
      </details>
    </Card>
  );
}

/** System files that a student with root has changed. */
export function Integrity({ files }: { files: readonly string[] }) {
  const t = useStrings();
  const [isWhole, setWhole] = useState(false);
  if (files.length === 0) return <p className="text-sm text-ink-soft">{t.teaching.integrityNone}</p>;
  return (
    <>
      <p className="max-w-prose text-sm text-ink-soft">{t.teaching.integrityHelp}</p>
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be reachable by the keyboard */}
      <ul tabIndex={0} className={output}>
        {(isWhole ? files : files.slice(0, fewFiles)).map((file) => (
          <li key={file}>{file}</li>
        ))}
      </ul>
      {files.length > fewFiles && !isWhole && (
        <div>
          <Button size="small" onClick={() => setWhole(true)}>
            {t.teaching.integrityMore(files.length)}
          </Button>
        </div>
      )}
    </>
  );
}
