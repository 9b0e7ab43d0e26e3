import { useQuery } from '@tanstack/react-query';
import { useStrings } from '../strings/use-strings.tsx';
import { providersQuery } from '../teaching-model/providers.ts';
import { buttonClasses, longText } from '../ui/button.tsx';

/**
 * Links to the logins of identity providers, which have pages of their own.
 * @param next the path to return to. Undefined: they open in another tab, so that this page stays
 */
export function Providers({ next }: { next: string | undefined }) {
  const t = useStrings();
  const { data = [] } = useQuery(providersQuery);
  const query = next === undefined ? '' : `?${new URLSearchParams({ next })}`;
  return data.map(({ id, name, login_url }) => (
    <a
      key={id}
      href={login_url + query}
      className={`${buttonClasses()} ${longText} mt-3 w-full`}
      {...(next === undefined ? { target: '_blank', rel: 'noopener' } : {})}
    >
      {t.account.loginWith(name)}
    </a>
  ));
}
