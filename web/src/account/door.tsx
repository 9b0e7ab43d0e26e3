import type { ReactNode } from 'react';
import { useStrings } from '../strings/use-strings.tsx';
import { Card } from '../ui/card.tsx';
import { useTitle } from '../ui/page.tsx';

/** The layout of the pages before the login. */
export function Door({ title, children }: { title: string; children: ReactNode }) {
  const t = useStrings();
  useTitle(title);
  return (
    <main id="content" className="flex min-h-full items-center justify-center p-4">
      <div className="w-full max-w-sm">
        <div className="mb-6 flex flex-col items-center gap-3 text-center">
          <img src="/favicon.svg" alt="" width={48} height={48} />
          <p className="text-lg font-semibold">{t.common.product}</p>
          <p className="text-sm text-ink-soft">{t.account.loginLead}</p>
        </div>
        <Card className="p-6">
          <h1 className="mb-4 text-xl font-semibold">{title}</h1>
          {children}
        </Card>
      </div>
    </main>
  );
}
