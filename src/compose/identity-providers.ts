import { outsideFetch } from '../../packages/outside-requests/outside-fetch.ts';
import { keyedHash } from '../database/keyed-hash.ts';
import { TextSeal } from '../database/sealed-text.ts';
import { ProviderAccounts } from '../features/identity-providers/accounts.ts';
import { OpenId } from '../features/identity-providers/openid.ts';
import { IdentityProviderService } from '../features/identity-providers/service.ts';
import type { AccountParts } from './accounts.ts';
import type { Surroundings } from './parts.ts';

/** Of an answer of a provider: keys, claims and descriptions have a few thousand. */
const maxBytes = 512 * 1024;
/** For one request, for which a user waits. */
const timeoutMs = 10_000;

/** Logins through identity providers. */
export function composeIdentityProviders({ config, log }: Pick<Surroundings, 'config' | 'log'>, parts: AccountParts) {
  const { secretKey, auth, passwords, identities, providers, providerStore: store, userAdminStore: users } = parts;
  const { allowsPrivateProviders } = config;
  const accounts = new ProviderAccounts({
    ...{ store: identities, users, nobody: () => passwords.ofNobody(), forget: (id) => auth.forget(id) },
  });
  const identityProviders = new IdentityProviderService({
    ...{ store, identities, providers, auth, log },
    ...{ seal: new TextSeal(secretKey), hash: keyedHash(secretKey) },
    accounts,
    openId: new OpenId({
      fetch: outsideFetch({ allowsPrivate: allowsPrivateProviders, maxBytes, timeoutMs }),
      isInsecureAllowed: allowsPrivateProviders,
    }),
  });
  return { identityProviders, accounts };
}
