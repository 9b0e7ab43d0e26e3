import { useQuery, useQueryClient } from '@tanstack/react-query';
import { Plus, Trash2 } from 'lucide-react';
import { type UseFormReturn, useFieldArray } from 'react-hook-form';
import { api } from '../api/client.ts';
import { ok } from '../api/problem.ts';
import { useStrings } from '../strings/use-strings.tsx';
import { classesQuery } from '../teaching-model/classes.ts';
import { Button, IconButton } from '../ui/button.tsx';
import { Checkbox, optionsOf, Select, TextField } from '../ui/forms/field.tsx';
import { fieldOf, useSentForm } from '../ui/forms/form-field.ts';
import { PasswordField } from '../ui/forms/password-field.tsx';
import { SentForm } from '../ui/forms/sent-form.tsx';
import { showArrival } from '../ui/lists/arrivals.ts';
import { useToasts } from '../ui/toasts.tsx';
import { type IdentityProvider, identityProvidersKey } from './queries.ts';

const roles = ['student', 'instructor', 'admin'] as const;
type Rule = { claim: string; value: string; role: (typeof roles)[number] | ''; class_id: string };
type Values = Pick<
  IdentityProvider,
  ('name' | 'slug' | 'issuer' | 'client_id' | 'scopes' | 'is_active') | ('is_linking_by_email' | 'has_verified_emails')
> & { client_secret: string; domains: string; rules: Rule[] };

const empty: Values = {
  ...{ name: '', slug: '', issuer: '', client_id: '', client_secret: '', scopes: 'openid email profile' },
  ...{ is_active: true, is_linking_by_email: false, has_verified_emails: false, domains: '', rules: [] },
};

const valuesOf = (provider: IdentityProvider): Values => ({
  ...provider,
  client_secret: '',
  domains: provider.local_login_off_domains.join(', '),
  rules: provider.rules.map((rule) => ({
    ...rule,
    role: rule.role ?? '',
    class_id: rule.class_id === null ? '' : `${rule.class_id}`,
  })),
});

/** Adds or changes an identity provider. Its secret is never shown. */
export function IdentityProviderForm({
  provider,
  onDone,
}: {
  provider: IdentityProvider | undefined;
  onDone: () => void;
}) {
  const t = useStrings();
  const words = t.administration.identityProviders;
  const toasts = useToasts();
  const queries = useQueryClient();
  const sent = useSentForm<Values>(provider ? valuesOf(provider) : empty, async (values) => {
    const { name, slug, client_id, scopes, is_active, is_linking_by_email, has_verified_emails } = values;
    const body = {
      ...{ slug: slug.trim(), client_id: client_id.trim(), scopes: scopes.trim(), name: name.trim() },
      ...{ is_active, is_linking_by_email, has_verified_emails },
      ...(values.client_secret === '' ? {} : { client_secret: values.client_secret }),
      local_login_off_domains: values.domains.split(/[\s,]+/).filter((domain) => domain !== ''),
      rules: values.rules.map(({ role, class_id, ...rule }) => ({
        ...rule,
        role: role || null,
        class_id: class_id === '' ? null : Number(class_id),
      })),
    };
    const { id } = await ok(
      provider
        ? api.PUT('/api/admin/identity-providers/{id}', { params: { path: { id: provider.id } }, body })
        : api.POST('/api/admin/identity-providers', { body: { ...body, issuer: values.issuer.trim() } }),
    );
    toasts.done(t.common.saved);
    await queries.invalidateQueries({ queryKey: identityProvidersKey });
    onDone();
    if (!provider) showArrival('identity_provider', id);
  });
  const { form, field } = sent;
  const plain = { autoComplete: 'off', autoCapitalize: 'none', spellCheck: false } as const;
  const slug = form.watch('slug').trim();
  const redirect = provider && slug === provider.slug ? provider.redirect_uri : redirectOf(slug);
  return (
    <SentForm sent={sent} action={provider ? t.common.save : words.add}>
      <TextField label={words.name} help={words.nameHelp} required maxLength={200} {...field('name')} />
      <TextField
        label={words.issuer}
        help={words.issuerHelp}
        required
        type="url"
        maxLength={500}
        readOnly={provider !== undefined}
        {...plain}
        {...field('issuer')}
      />
      <TextField
        label={words.slug}
        help={words.slugHelp}
        required
        maxLength={40}
        pattern="[a-z0-9]+(-[a-z0-9]+)*"
        {...plain}
        {...field('slug')}
      />
      {slug !== '' && (
        <p className="text-sm">
          {words.redirect} <code className="wrap-anywhere">{redirect}</code>
        </p>
      )}
      <TextField label={words.clientId} required maxLength={500} {...plain} {...field('client_id')} />
      <PasswordField label={words.secret} maxLength={1000} autoComplete="off" {...form.register('client_secret')} />
      <p className="text-sm text-ink-soft">{provider?.has_client_secret ? words.secretKept : words.secretHelp}</p>
      <TextField label={words.scopes} required maxLength={500} {...plain} {...field('scopes')} />
      <TextField label={words.domains} help={words.domainsHelp} {...plain} {...field('domains')} />
      <Checkbox label={words.linking} {...form.register('is_linking_by_email')} />
      <Checkbox label={words.verified} {...form.register('has_verified_emails')} />
      <Rules form={form} />
      <Checkbox label={words.active} {...form.register('is_active')} />
    </SentForm>
  );
}

const redirectOf = (slug: string): string => `${location.origin}/api/auth/providers/${slug}/callback`;

/** What users get by their claims. */
function Rules({ form }: { form: UseFormReturn<Values> }) {
  const t = useStrings();
  const words = t.administration.identityProviders;
  const { fields, append, remove } = useFieldArray({ control: form.control, name: 'rules' });
  const classes = useQuery({ ...classesQuery({ page: 1 }), enabled: fields.length > 0 });
  const known = (classes.data?.items ?? []).map(({ id, name }) => ({ value: `${id}`, label: name }));
  return (
    <fieldset className="flex flex-col gap-3">
      <legend className="text-sm font-medium">{words.rules}</legend>
      <p className="text-sm text-ink-soft">{words.rulesHelp}</p>
      {fields.map(({ id, class_id }, index) => {
        const isKnown = class_id === '' || known.some(({ value }) => value === class_id);
        const options = [{ value: '', label: words.noClass }, ...known];
        return (
          <div key={id} className="flex flex-wrap items-end gap-2">
            <div className="min-w-36 flex-1">
              <TextField label={words.claim} required maxLength={200} {...fieldOf(form, `rules.${index}.claim`)} />
            </div>
            <div className="min-w-36 flex-1">
              <TextField label={words.value} required maxLength={500} {...fieldOf(form, `rules.${index}.value`)} />
            </div>
            <Select
              label={words.role}
              options={[{ value: '', label: words.noRole }, ...optionsOf(roles, t.common.roles)]}
              {...form.register(`rules.${index}.role`)}
            />
            <Select
              label={words.class}
              options={isKnown ? options : [...options, { value: class_id, label: class_id }]}
              {...form.register(`rules.${index}.class_id`)}
            />
            <IconButton label={words.removeRule(index + 1)} onClick={() => remove(index)}>
              <Trash2 size={18} aria-hidden="true" />
            </IconButton>
          </div>
        );
      })}
      <div>
        <Button size="small" onClick={() => append({ claim: 'groups', value: '', role: '', class_id: '' })}>
          <Plus size={16} aria-hidden="true" /> {words.addRule}
        </Button>
      </div>
    </fieldset>
  );
}
