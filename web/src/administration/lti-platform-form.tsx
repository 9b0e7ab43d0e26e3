import { useQueryClient } from '@tanstack/react-query';
import { api } from '../api/client.ts';
import { ok } from '../api/problem.ts';
import { useStrings } from '../strings/use-strings.tsx';
import { Checkbox, TextArea, TextField } from '../ui/forms/field.tsx';
import { useSentForm } from '../ui/forms/form-field.ts';
import { SentForm } from '../ui/forms/sent-form.tsx';
import { showArrival } from '../ui/lists/arrivals.ts';
import { useToasts } from '../ui/toasts.tsx';
import { type LtiPlatform, ltiPlatformsKey } from './queries.ts';

type Values = Omit<
  LtiPlatform,
  'id' | 'user_count' | 'course_count' | 'created_at' | 'token_audience' | 'deployment_ids' | 'origins'
> & {
  audience: string;
  deployments: string;
  origin_lines: string;
};

const empty: Values = {
  ...{ name: '', issuer: '', client_id: '', authorization_url: '', token_url: '', jwks_url: '', audience: '' },
  ...{ deployments: '', origin_lines: '', is_active: true, is_linking_by_email: false, makes_instructors: false },
};
const linesOf = (text: string): string[] => text.split(/\s+/).filter((line) => line !== '');

/** Adds or changes a platform of LTI. */
export function LtiPlatformForm({ platform, onDone }: { platform: LtiPlatform | undefined; onDone: () => void }) {
  const t = useStrings();
  const words = t.administration.ltiPlatforms;
  const toasts = useToasts();
  const queries = useQueryClient();
  const first = platform && {
    ...platform,
    audience: platform.token_audience ?? '',
    deployments: platform.deployment_ids.join('\n'),
    origin_lines: platform.origins.join('\n'),
  };
  const sent = useSentForm<Values>(first ?? empty, async (values) => {
    const { name, issuer, client_id, authorization_url, token_url, jwks_url } = values;
    const { is_active, is_linking_by_email, makes_instructors } = values;
    const body = {
      ...{ name: name.trim(), issuer: issuer.trim(), client_id: client_id.trim() },
      ...{ authorization_url: authorization_url.trim(), token_url: token_url.trim(), jwks_url: jwks_url.trim() },
      ...{ is_active, is_linking_by_email, makes_instructors, token_audience: values.audience.trim() || null },
      ...{ deployment_ids: linesOf(values.deployments), origins: linesOf(values.origin_lines) },
    };
    const { id } = await ok(
      platform
        ? api.PUT('/api/admin/lti-platforms/{id}', { params: { path: { id: platform.id } }, body })
        : api.POST('/api/admin/lti-platforms', { body }),
    );
    toasts.done(t.common.saved);
    await queries.invalidateQueries({ queryKey: ltiPlatformsKey });
    onDone();
    if (!platform) showArrival('lti_platform', id);
  });
  const { form, field } = sent;
  const plain = { autoComplete: 'off', autoCapitalize: 'none', spellCheck: false } as const;
  const url = { ...plain, type: 'url', required: true, maxLength: 1000 } as const;
  const own: [string, string][] = [
    [words.loginUrl, 'login'],
    [words.launchUrl, 'launch'],
    [words.keysUrl, 'keys'],
  ];
  return (
    <SentForm sent={sent} action={platform ? t.common.save : words.add}>
      <div className="text-sm">
        <p className="font-medium">{words.addresses}</p>
        {own.map(([label, path]) => (
          <p key={path}>
            {label}: <code className="wrap-anywhere">{`${location.origin}/api/lti/${path}`}</code>
          </p>
        ))}
      </div>
      <TextField label={words.name} required maxLength={200} {...field('name')} />
      <TextField label={words.issuer} required maxLength={500} {...plain} {...field('issuer')} />
      <TextField label={words.clientId} required maxLength={500} {...plain} {...field('client_id')} />
      <TextField label={words.authorization} {...url} {...field('authorization_url')} />
      <TextField label={words.token} {...url} {...field('token_url')} />
      <TextField label={words.jwks} {...url} {...field('jwks_url')} />
      <TextField label={words.audience} help={words.audienceHelp} {...url} required={false} {...field('audience')} />
      <TextArea label={words.deployments} help={words.deploymentsHelp} rows={2} {...plain} {...field('deployments')} />
      <TextArea label={words.origins} help={words.originsHelp} rows={2} {...plain} {...field('origin_lines')} />
      <Checkbox label={words.instructors} {...form.register('makes_instructors')} />
      <Checkbox label={words.linking} {...form.register('is_linking_by_email')} />
      <Checkbox label={words.active} {...form.register('is_active')} />
    </SentForm>
  );
}
