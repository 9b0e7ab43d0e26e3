import { useMutation } from '@tanstack/react-query';
import { useState } from 'react';
import { useFormat, useStrings } from '../strings/use-strings.tsx';
import { bindFields, concernsNoField } from '../ui/bind-fields.ts';
import { Button } from '../ui/button.tsx';
import { TextArea, TextField } from '../ui/field.tsx';
import { ProblemNote } from '../ui/problem-note.tsx';
import { useToasts } from '../ui/toasts.tsx';
import { type Profile, saveProfile, useProfileChange } from './queries.ts';
import { TitledCard } from './titled-card.tsx';

const maxBio = 2000;

/** Name, email and biography of the user. Fields that only others can change are below. */
export function DetailsForm({ profile }: { profile: Profile }) {
  const t = useStrings();
  const words = t.profile.details;
  const format = useFormat();
  const toasts = useToasts();
  const change = useProfileChange();
  const saved = { full_name: profile.full_name ?? '', email: profile.email, bio: profile.bio };
  const [edited, setEdited] = useState<Partial<typeof saved>>({});
  const fields = { ...saved, ...edited };
  const isChanged = (['full_name', 'email', 'bio'] as const).some((name) => fields[name] !== saved[name]);
  const save = useMutation({
    mutationFn: () => saveProfile({ ...fields, full_name: fields.full_name.trim() || null }),
    onSuccess: (next) => {
      change(next);
      setEdited({});
      toasts.done(words.saved);
    },
  });
  const of = bindFields(t, fields, (name, value) => setEdited({ ...edited, [name]: value }), save.error);
  return (
    <TitledCard title={words.title}>
      <form
        className="flex flex-col gap-4"
        onSubmit={(event) => {
          event.preventDefault();
          save.mutate();
        }}
      >
        {concernsNoField(save.error) && <ProblemNote error={save.error} />}
        <TextField
          label={words.fullName}
          help={words.fullNameHelp}
          autoComplete="name"
          maxLength={200}
          {...of('full_name')}
        />
        <TextField label={words.email} type="email" autoComplete="email" required maxLength={254} {...of('email')} />
        <TextArea
          label={words.bio}
          help={words.bioHelp(maxBio - fields.bio.length)}
          maxLength={maxBio}
          {...of('bio')}
        />
        <div className="flex flex-wrap items-center gap-3">
          <Button type="submit" look="primary" disabled={!isChanged} isBusy={save.isPending}>
            {t.common.save}
          </Button>
          {isChanged && <span className="text-sm text-ink-soft">{words.unsaved}</span>}
        </div>
      </form>
      <dl className="grid gap-x-6 gap-y-3 border-t pt-4 text-sm sm:grid-cols-3">
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
