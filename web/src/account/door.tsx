import { type ReactNode, useEffect } from 'react';
import { useSession } from '../api/use-session.ts';
import { navigate } from '../routing/router.ts';
import { languages } from '../strings/load-strings.ts';
import { useSpoken, useStrings } from '../strings/use-strings.tsx';
import { Card } from '../ui/card.tsx';
import { colorSchemes, useColorScheme } from '../ui/color-scheme.ts';
import { optionsOf, Select } from '../ui/forms/field.tsx';
import { Logo } from '../ui/logo.tsx';
import { useTitle } from '../ui/page.tsx';
import { useSite } from '../ui/site.ts';
import { Welcome } from './welcome.tsx';

/**
 * The layout of the pages before the login. A user who is logged in, here or in another tab, is led on.
 * @param next the path to open then, which is not trusted
 */
export function Door({ title, next, children }: { title: string; next: string | undefined; children: ReactNode }) {
  const t = useStrings();
  const { product } = useSite();
  const isLoggedIn = useSession().status === 'in';
  useTitle(title);
  useEffect(() => {
    if (isLoggedIn) navigate({ href: ownPath(next), replace: true });
  }, [isLoggedIn, next]);
  return (
    <main id="content" className="relative flex min-h-full items-center justify-center px-4 pt-16 pb-4">
      <Appearance />
      <div className="relative w-full max-w-sm">
        <div className="mb-6 flex flex-col items-center gap-3 text-center">
          <Logo isLarge />
          <p className="text-lg font-semibold [overflow-wrap:anywhere]">{product}</p>
          <p className="text-sm text-ink-soft">{t.account.loginLead}</p>
        </div>
        <Card className="p-6">
          <h1 className="mb-4 text-xl font-semibold">{title}</h1>
          {children}
        </Card>
        {/* Below the form, which stays where the document has drawn it. */}
        <Welcome className="absolute top-full right-0 left-0 py-6" />
      </div>
    </main>
  );
}

/** Language and theme, for those who cannot open their menu yet. They lie above the form, which does not move. */
export function Appearance() {
  const t = useStrings();
  const { language, speak } = useSpoken();
  const [scheme, setScheme] = useColorScheme();
  return (
    <div className="absolute top-3 right-3 flex gap-2">
      <Select
        isLabelHidden
        label={t.common.language.label}
        value={language}
        onChange={({ target }) => speak(target.value as typeof language)}
        options={optionsOf(languages, t.common.language)}
      />
      <Select
        isLabelHidden
        label={t.common.colorScheme.label}
        value={scheme}
        onChange={({ target }) => setScheme(target.value as typeof scheme)}
        options={optionsOf(colorSchemes, t.common.colorScheme)}
      />
    </div>
  );
}

/**
 * The path after the login: the requested one, or the start page where the requested one would lead to another site (`//host`, `/\host`,
 * another scheme). The URL of the login page is untrusted.
 */
function ownPath(next: string | undefined): string {
  if (!next?.startsWith('/') || !URL.canParse(next, location.origin)) return '/';
  const { origin, pathname, search, hash } = new URL(next, location.origin);
  // Checked after parsing: the browser's interpretation of the path counts, not the original text.
  return origin === location.origin && !pathname.startsWith('//') ? pathname + search + hash : '/';
}
