import { type ReactNode, useEffect } from 'react';
import { useSession } from '../api/use-session.ts';
import { navigate } from '../routing/location.ts';
import { useStrings } from '../strings/use-strings.tsx';
import { Card } from '../ui/card.tsx';
import { useTitle } from '../ui/page.tsx';
import { ownPath } from './own-path.ts';

/**
 * The layout of the pages before the login. A user who is logged in, here or in another tab, is led on.
 * @param next the path to open then, which is not trusted
 */
export function Door({ title, next, children }: { title: string; next: string | undefined; children: ReactNode }) {
  const t = useStrings();
  const isLoggedIn = useSession().status === 'in';
  useTitle(title);
  useEffect(() => {
    if (isLoggedIn) navigate(ownPath(next), { replace: true });
  }, [isLoggedIn, next]);
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
