import { api } from '../api/client.ts';
import { ok } from '../api/problem.ts';
import { useUser } from '../api/use-session.ts';
import { useStrings } from '../strings/use-strings.tsx';
import { Tokens } from '../ui/tokens.tsx';
import { TitledCard } from './titled-card.tsx';

/** The user's tokens for programs. */
export function TokensCard() {
  const words = useStrings().profile.tokens;
  const { role } = useUser();
  return (
    <TitledCard title={words.title}>
      <p className="text-sm text-ink-soft">{words.lead}</p>
      <Tokens
        noneText={words.none}
        source={{
          key: ['personal-tokens'],
          role,
          list: (signal) => ok(api.GET('/api/auth/tokens', { signal })),
          create: (body) => ok(api.POST('/api/auth/tokens', { body })),
          remove: (id) => ok(api.DELETE('/api/auth/tokens/{id}', { params: { path: { id } } })),
        }}
      />
    </TitledCard>
  );
}
