import { FlaskRound } from 'lucide-react';
import type { ReactNode } from 'react';
import { useStrings } from '../strings/use-strings.tsx';

/** The service marks the document of an installation whose data was generated. */
const isDemonstration = document.documentElement.dataset['isDemonstration'] !== undefined;

/** Says on every page of a demonstration that its data was generated. */
export function WithDemonstrationStrip({ children }: { children: ReactNode }) {
  const t = useStrings();
  if (!isDemonstration) return children;
  return (
    <div className="flex h-full flex-col">
      <aside
        aria-label={t.common.demonstration}
        className="flex shrink-0 items-center justify-center gap-2 border-b bg-info-soft px-3 py-1 text-center text-sm text-info"
      >
        <FlaskRound size={15} aria-hidden="true" className="shrink-0" />
        <p>
          <strong className="font-semibold">{t.common.demonstration}</strong>
          <span className="max-sm:sr-only">. {t.common.demonstrationHelp}</span>
        </p>
      </aside>
      <div className="min-h-0 flex-1 overflow-y-auto">{children}</div>
    </div>
  );
}
