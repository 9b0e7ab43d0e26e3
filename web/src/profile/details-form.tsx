import { useFormat, useStrings } from '../strings/use-strings.tsx';
import { Button } from '../ui/button.tsx';
import { hasNoEmail } from '../ui/email.tsx';
import { TextArea, TextField } from '../ui/forms/field.tsx';
import { useSentForm } from '../ui/forms/form-field.ts';
import { ProblemNote } from '../ui/problem-note.tsx';
import { useToasts } from '../ui/toasts.tsx';
import { type Profile, saveProfile, useProfileChange } from './queries.ts';
import { TitledCard } from './titled-card.tsx';

const maxBio = 2000;

const fieldsOf = ({ full_name, email, bio }: Profile) => ({
  ...{ full_name: full_name ?? '', email: hasNoEmail(email) ? '' : email, bio },
});

/** Name, email and biography of the user. Fields that only others can change are below. */
export function DetailsForm({ profile }: { profile: Profile }) {
  const t = useStrings();
  const words = t.profile.details;
  const format = useFormat();
  const toasts = useToasts();
  const change = useProfileChange();
  const { form, field, error, replace, onSubmit } = useSentForm(fieldsOf(profile), async (fields) => {
    const next = await saveProfile({
      ...fields,
      email: fields.email || profile.email,
      full_name: fields.full_name.trim() || null,
    });
    replace(fieldsOf(next));
    change(next);
    toasts.done(words.saved);
  });
  const { isDirty, isSubmitting } = form.formState;
  return (
    <TitledCard title={words.title}>
      <form className="flex flex-col gap-4" onSubmit={onSubmit}>
        {error !== undefined && <ProblemNote error={error} />}
        <TextField
          label={words.fullName}
          help={words.fullNameHelp}
          autoComplete="name"
          maxLength={200}
          {...field('full_name')}
        />
        <TextField
          label={words.email}
          type="email"
          autoComplete="email"
          required={!hasNoEmail(profile.email)}
          maxLength={254}
          {...field('email')}
        />
        <TextArea
          label={words.bio}
          help={words.bioHelp(maxBio - form.watch('bio').length)}
          maxLength={maxBio}
          {...field('bio')}
        />
        <div className="flex flex-wrap items-center gap-3">
          <Button type="submit" look="primary" disabled={!isDirty} isBusy={isSubmitting}>
            {t.common.save}
          </Button>
          {isDirty && <span className="text-sm text-ink-soft">{words.unsaved}</span>}
        </div>
      </form>
      <dl className="grid grid-cols-1 gap-x-6 gap-y-3 border-t pt-4 text-sm sm:grid-cols-3">
        <Fact name={words.username} value={profile.username} />
        <Fact name={words.role} value={t.common.roles[profile.role]} />
        <Fact name={words.since} value={format.date(profile.created_at)} />
      </dl>
    </TitledCard>
  );
}

const Fact = ({ name, value }: { name: string; value: string }) => (
  <div className="min-w-0">
    <dt className="text-ink-soft">{name}</dt>
    <dd className="font-medium wrap-break-word">{value}</dd>
  </div>
);
