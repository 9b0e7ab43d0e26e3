import { useQuery, useQueryClient } from '@tanstack/react-query';
import { api } from '../api/client.ts';
import { ok } from '../api/problem.ts';
import { useUser } from '../api/use-session.ts';
import { useStrings } from '../strings/use-strings.tsx';
import { type Grants, grantsOf } from '../teaching-model/door.ts';
import { Card } from '../ui/card.tsx';
import { Checkbox, TextArea } from '../ui/forms/field.tsx';
import { fieldOf, useSentForm } from '../ui/forms/form-field.ts';
import { SentForm } from '../ui/forms/sent-form.tsx';
import { Fetched } from '../ui/states.tsx';
import { useToasts } from '../ui/toasts.tsx';

const flags = ['has_internet', 'has_root', 'has_repository'] as const;
const keyOf = (courseId: number) => ['teaching', 'courses', courseId, 'grants'];

/** What a course may use. Administrators change it; its staff read it. */
export function CourseGrants({ courseId }: { courseId: number }) {
  const words = useStrings().authoring.staff;
  const isAdmin = useUser().role === 'admin';
  const grants = useQuery({ queryKey: keyOf(courseId), queryFn: ({ signal }) => grantsOf(courseId, signal) });
  return (
    <Fetched query={grants}>
      {(given) => (
        <Card className="flex max-w-2xl flex-col gap-4 p-5">
          <p className="text-sm text-ink-soft">{isAdmin ? words.grantsLead : words.grantsReadOnly}</p>
          <Names title={words.commonImages} names={given.common_images} />
          <Names title={words.templates} names={given.templates.map(({ name }) => name)} />
          {isAdmin ? (
            <GrantForm courseId={courseId} given={given} />
          ) : (
            <>
              <Names title={words.images} names={given.images} />
              <ul className="text-sm">
                {flags.map((flag) => (
                  <li key={flag}>
                    {words[flag]}: {given[flag] ? words.granted : words.notGranted}
                  </li>
                ))}
              </ul>
            </>
          )}
        </Card>
      )}
    </Fetched>
  );
}

function Names({ title, names }: { title: string; names: readonly string[] }) {
  if (names.length === 0) return null;
  return (
    <div>
      <h2 className="text-sm font-medium">{title}</h2>
      <ul className="ml-4 list-disc text-sm wrap-anywhere">
        {names.map((name) => (
          <li key={name}>{name}</li>
        ))}
      </ul>
    </div>
  );
}

function GrantForm({ courseId: course_id, given }: { courseId: number; given: Grants }) {
  const t = useStrings();
  const words = t.authoring.staff;
  const toasts = useToasts();
  const client = useQueryClient();
  const { has_internet, has_root, has_repository } = given;
  const values = { images: given.images.join('\n'), has_internet, has_root, has_repository };
  const sent = useSentForm(values, async ({ images, ...rest }) => {
    const body = { ...rest, images: images.split(/\s+/).filter((name) => name !== '') };
    const params = { path: { course_id } };
    await ok(api.PUT('/api/admin/lessons/courses/{course_id}/grants', { params, body }));
    toasts.done(t.common.saved);
    await client.invalidateQueries({ queryKey: keyOf(course_id) });
    await client.invalidateQueries({ queryKey: ['authoring'] });
  });
  return (
    <SentForm sent={sent} action={t.common.save}>
      <TextArea
        label={words.images}
        help={words.imagesHelp}
        rows={3}
        spellCheck={false}
        className="font-mono"
        {...fieldOf(sent.form, 'images')}
      />
      {flags.map((flag) => (
        <Checkbox key={flag} label={words[flag]} {...sent.form.register(flag)} />
      ))}
    </SentForm>
  );
}
