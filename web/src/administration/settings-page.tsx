import { queryOptions, useQuery, useQueryClient } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { type ReactNode, useRef } from 'react';
import { type Answer, api } from '../api/client.ts';
import { ok } from '../api/problem.ts';
import { MarkdownArea } from '../markdown/markdown-area.tsx';
import { useStrings } from '../strings/use-strings.tsx';
import { Button } from '../ui/button.tsx';
import { Card } from '../ui/card.tsx';
import { Checkbox, TextField } from '../ui/forms/field.tsx';
import { useSentForm } from '../ui/forms/form-field.ts';
import { Logo } from '../ui/logo.tsx';
import { Page } from '../ui/page.tsx';
import { ProblemNote } from '../ui/problem-note.tsx';
import { showSite } from '../ui/site.ts';
import { Fetched, Loading } from '../ui/states.tsx';
import { useToasts } from '../ui/toasts.tsx';
import { MailCard } from './mail-card.tsx';
import { wordOf } from './queries.ts';
import { RetentionForm } from './retention-form.tsx';

type Settings = Answer<'/api/admin/site'>;

const settingsQuery = queryOptions({
  queryKey: ['administration', 'site'],
  queryFn: ({ signal }) => ok(api.GET('/api/admin/site', { signal })),
});

/** Where no accent is chosen: `--accent` of the light theme in document.css. */
const usualAccent = '#0b6b62';

/** How the installation presents itself. */
export function SettingsPage() {
  const t = useStrings();
  const settings = useQuery(settingsQuery);
  const saved = useSaved();
  return (
    <Page title={t.common.links.settings} lead={t.administration.settingsLead}>
      <Fetched query={settings} skeleton={<Loading rows={3} className="h-32" />}>
        {(data) => (
          <div className="grid grid-cols-1 items-start gap-4 lg:grid-cols-2">
            <div className="flex flex-col gap-4">
              <LogoCard settings={data} />
              <LookCard settings={data} />
            </div>
            <div className="flex flex-col gap-4">
              <SecondFactorCard settings={data} />
              <PrivacyCard settings={data} />
              <Part title={t.administration.retention.title}>
                <RetentionForm settings={data} onSaved={saved} />
              </Part>
              <Part title={t.administration.mail}>
                <MailCard isOn={data.has_mail} />
              </Part>
              <Part title={t.administration.webhooks.title}>
                <p className="text-sm text-ink-soft">{t.administration.webhooks.lead}</p>
                <Link to="/administration/webhooks" className="text-sm font-medium text-accent underline">
                  {t.administration.webhooks.show}
                </Link>
              </Part>
              <Part title={t.administration.serviceAccounts.title}>
                <p className="text-sm text-ink-soft">{t.administration.serviceAccounts.lead}</p>
                <Link to="/administration/service-accounts" className="text-sm font-medium text-accent underline">
                  {t.administration.serviceAccounts.show}
                </Link>
              </Part>
              <EnvironmentCard settings={data} />
            </div>
          </div>
        )}
      </Fetched>
    </Page>
  );
}

/** Shows saved settings everywhere. */
function useSaved() {
  const t = useStrings();
  const toasts = useToasts();
  const queries = useQueryClient();
  return (next: Settings): void => {
    queries.setQueryData(settingsQuery.queryKey, next);
    showSite(next);
    toasts.done(t.common.saved);
  };
}

const Part = ({ title, children }: { title: string; children: ReactNode }) => (
  <Card className="flex flex-col gap-4 p-5">
    <h2 className="text-lg font-semibold">{title}</h2>
    {children}
  </Card>
);

function LogoCard({ settings: { logo_url } }: { settings: Settings }) {
  const t = useStrings();
  const toasts = useToasts();
  const saved = useSaved();
  const input = useRef<HTMLInputElement>(null);
  const upload = async (file: File): Promise<void> => {
    const form = new FormData();
    form.append('file', file);
    // The document types the field as a string, but the form is sent.
    saved(await ok(api.PUT('/api/admin/site/logo', { body: { file: '' }, bodySerializer: () => form })));
  };
  const remove = async (): Promise<void> => saved(await ok(api.DELETE('/api/admin/site/logo')));
  return (
    <Part title={t.administration.logo}>
      <div>
        <Logo isLarge />
      </div>
      <p className="text-sm text-ink-soft">{t.administration.logoHelp}</p>
      <div className="flex flex-wrap gap-2">
        <Button onClick={() => input.current?.click()}>{t.administration.chooseLogo}</Button>
        {logo_url && (
          <Button look="quiet" onClick={() => void remove().catch(toasts.failed)}>
            {t.administration.removeLogo}
          </Button>
        )}
      </div>
      <input
        ref={input}
        type="file"
        hidden
        accept="image/png,image/jpeg,image/webp,image/gif"
        aria-label={t.administration.chooseLogo}
        onChange={(event) => {
          const file = event.target.files?.[0];
          // Allows the same file to be chosen again.
          event.target.value = '';
          if (file) void upload(file).catch(toasts.failed);
        }}
      />
    </Part>
  );
}

const valuesOf = ({ name, accent, welcome, has_public_courses }: Settings) => ({
  ...{ name: name ?? '', accent: accent ?? '', welcome, has_public_courses },
});

function LookCard({ settings }: { settings: Settings }) {
  const t = useStrings();
  const saved = useSaved();
  const { form, field, error, replace, onSubmit } = useSentForm(
    valuesOf(settings),
    async ({ name, accent, ...rest }) => {
      const body = { ...rest, name: name.trim() || null, accent: accent.trim() || null };
      const next = await ok(api.PUT('/api/admin/site', { body }));
      replace(valuesOf(next));
      saved(next);
    },
  );
  const { isDirty, isSubmitting } = form.formState;
  const chosen = form.watch('accent');
  const isOpenByOperator = settings.environment.some(
    ({ name, value }) => name === 'CATALOGUE_IS_OPEN' && value === 'true',
  );
  return (
    <Part title={t.administration.look}>
      <form className="flex flex-col gap-4" onSubmit={onSubmit}>
        {error !== undefined && <ProblemNote error={error} />}
        <TextField label={t.administration.siteName} placeholder={t.common.product} maxLength={60} {...field('name')} />
        <div className="flex items-end gap-2">
          <div className="flex-1">
            <TextField
              label={t.administration.accent}
              placeholder={usualAccent}
              pattern="#[0-9a-fA-F]{6}"
              title="#rrggbb"
              {...field('accent')}
            />
          </div>
          <input
            type="color"
            aria-label={t.administration.pickAccent}
            className="h-10 w-14 rounded-md border border-line-strong bg-surface p-1"
            value={/^#[0-9a-f]{6}$/i.test(chosen) ? chosen : usualAccent}
            onChange={(event) => form.setValue('accent', event.target.value, { shouldDirty: true })}
          />
        </div>
        <p className="text-sm text-ink-soft">
          {settings.colors
            ? t.administration.accentShown(settings.colors.light.accent, settings.colors.dark.accent)
            : t.administration.accentHelp}
        </p>
        <MarkdownArea
          label={t.administration.welcome}
          help={t.administration.welcomeHelp}
          maxLength={2000}
          rows={6}
          {...field('welcome')}
        />
        <div>
          <Checkbox
            label={t.administration.publicCourses}
            {...form.register('has_public_courses', { disabled: isOpenByOperator })}
            {...(isOpenByOperator ? { checked: true } : {})}
          />
          <p className="text-sm text-ink-soft">
            {isOpenByOperator ? t.administration.publicByOperator : t.administration.publicCoursesHelp}
          </p>
        </div>
        <Button type="submit" look="primary" className="self-start" disabled={!isDirty} isBusy={isSubmitting}>
          {t.common.save}
        </Button>
      </form>
    </Part>
  );
}

const roles = ['student', 'instructor', 'admin'] as const;

/** Whose logins need a second factor. */
function SecondFactorCard({ settings: { second_factor_roles } }: { settings: Settings }) {
  const t = useStrings();
  const saved = useSaved();
  const toasts = useToasts();
  const change = async (role: (typeof roles)[number], isRequired: boolean): Promise<void> => {
    const others = second_factor_roles.filter((one) => one !== role);
    const body = { second_factor_roles: isRequired ? [...others, role] : others };
    saved(await ok(api.PUT('/api/admin/site', { body })));
  };
  return (
    <Part title={t.administration.factorRoles}>
      <p className="text-sm text-ink-soft">{t.administration.factorRolesHelp}</p>
      {roles.map((role) => (
        <Checkbox
          key={role}
          label={t.common.roles[role]}
          checked={second_factor_roles.includes(role)}
          onChange={({ target }) => void change(role, target.checked).catch(toasts.failed)}
        />
      ))}
    </Part>
  );
}

const privacySettings = ['has_recording_consent', 'has_kept_results'] as const;

/** What the installation stores of people. */
function PrivacyCard({ settings }: { settings: Settings }) {
  const words = useStrings().administration.privacy;
  const saved = useSaved();
  const toasts = useToasts();
  const change = async (body: Partial<Pick<Settings, (typeof privacySettings)[number]>>): Promise<void> =>
    saved(await ok(api.PUT('/api/admin/site', { body })));
  return (
    <Part title={words.title}>
      {privacySettings.map((name) => (
        <div key={name}>
          <Checkbox
            label={words.settings[name]}
            checked={settings[name]}
            onChange={({ target }) => void change({ [name]: target.checked }).catch(toasts.failed)}
          />
          <p className="text-sm text-ink-soft">{words.help[name]}</p>
        </div>
      ))}
    </Part>
  );
}

function EnvironmentCard({ settings: { environment } }: { settings: Settings }) {
  const t = useStrings();
  return (
    <Part title={t.administration.byEnvironment}>
      <p className="text-sm text-ink-soft">{t.administration.byEnvironmentHelp}</p>
      <dl className="flex flex-col divide-y text-sm">
        {environment.map(({ name, value }) => (
          <div key={name} className="flex flex-wrap items-baseline justify-between gap-x-4 py-2">
            <dt>
              {wordOf(t.administration.variables, name)}
              <code className="block text-xs text-ink-soft">{name}</code>
            </dt>
            <dd className="font-medium [overflow-wrap:anywhere]">
              {value === '' ? t.common.none : wordOf(t.administration.variableValues, value)}
            </dd>
          </div>
        ))}
      </dl>
    </Part>
  );
}
