import { queryOptions, useQuery, useQueryClient } from '@tanstack/react-query';
import { api } from '../api/client.ts';
import { ok } from '../api/problem.ts';
import { useAddress } from '../routing/use-address.ts';
import { useFormat, useStrings } from '../strings/use-strings.tsx';
import { providersQuery } from '../teaching-model/providers.ts';
import { Button, longText } from '../ui/button.tsx';
import { DeleteButton } from '../ui/delete-button.tsx';
import { useToasts } from '../ui/toasts.tsx';
import { TitledCard } from './titled-card.tsx';

const identitiesQuery = queryOptions({
  queryKey: ['identities'],
  queryFn: ({ signal }) => ok(api.GET('/api/auth/identities', { signal })),
});

/** The identity providers of the account. Nothing where there are none to log in with. */
export function IdentitiesCard() {
  const t = useStrings();
  const words = t.profile.identities;
  const format = useFormat();
  const toasts = useToasts();
  const queries = useQueryClient();
  const { refused } = useAddress('/profile').search;
  const { data: providers = [] } = useQuery(providersQuery);
  const { data: linked = [] } = useQuery({ ...identitiesQuery, enabled: providers.length > 0 });
  if (providers.length === 0) return null;
  const link = async (provider_id: number): Promise<void> => {
    const { url } = await ok(api.POST('/api/auth/identities', { body: { provider_id } }));
    location.assign(url);
  };
  const unlink = async (id: number): Promise<void> => {
    await ok(api.DELETE('/api/auth/identities/{id}', { params: { path: { id } } }));
    toasts.done(words.unlinked);
    await queries.invalidateQueries({ queryKey: identitiesQuery.queryKey });
  };
  const others = providers.filter(({ id }) => !linked.some(({ provider_id }) => provider_id === id));
  return (
    <TitledCard title={words.title}>
      <p className="text-sm text-ink-soft">{words.lead}</p>
      {refused && (
        <p role="alert" className="text-sm text-bad">
          {t.account.refused[refused]}
        </p>
      )}
      {linked.map(({ id, name, last_login_at }) => (
        <div key={id} className="flex items-center justify-between gap-2">
          <p className="min-w-0 text-sm wrap-anywhere">
            <span className="block font-medium">{name}</span>
            {last_login_at && <span className="text-ink-soft">{words.last(format.time(last_login_at))}</span>}
          </p>
          <DeleteButton
            label={words.unlink(name)}
            title={words.unlinkTitle(name)}
            action={words.unlinkAction}
            onConfirm={() => unlink(id)}
          >
            {words.unlinkHelp}
          </DeleteButton>
        </div>
      ))}
      {others.map(({ id, name }) => (
        <div key={id}>
          <Button className={longText} onClick={() => void link(id).catch(toasts.failed)}>
            {words.link(name)}
          </Button>
        </div>
      ))}
    </TitledCard>
  );
}
