import { useQuery, useQueryClient } from '@tanstack/react-query';
import { api } from '../api/client.ts';
import { ok } from '../api/problem.ts';
import { useUser } from '../api/use-session.ts';
import { useTabAddress } from '../routing/use-address.ts';
import { useStrings } from '../strings/use-strings.tsx';
import { type Grants, grantsOf, useDoor } from '../teaching-model/door.ts';
import { imagesKey } from '../teaching-model/images.tsx';
import { Card } from '../ui/card.tsx';
import { Checkbox, TextArea } from '../ui/forms/field.tsx';
import { useSentForm } from '../ui/forms/form-field.ts';
import { SentForm } from '../ui/forms/sent-form.tsx';
import { Fetched } from '../ui/states.tsx';
import { useToasts } from '../ui/toasts.tsx';
import { Images } from './images.tsx';

const flags = ['has_internet', 'has_root', 'has_repository'] as const;
const keyOf = (courseId: number) => ['teaching', 'courses', courseId, 'grants'];

/** What a course may use. Administrators change it; its staff read it. */
export function CourseGrants({ courseId }: { courseId: number }) {
  const t = useStrings();
  const words = t.authoring.staff;
  const { search, onSearch } = useTabAddress('/teaching/courses/$courseId', 'grants');
  const { mayChange } = useDoor();
  const isAdmin = useUser().role === 'admin';
  const grants = useQuery({ queryKey: keyOf(courseId), queryFn: ({ signal }) => grantsOf(courseId, signal) });
  return (
    <Fetched query={grants}>
      {(given) => (
        <>
          <Card className="flex max-w-2xl flex-col gap-4 p-5">
            <p className="text-sm text-ink-soft">{isAdmin ? words.grantsLead : words.grantsReadOnly}</p>
            <Names title={words.templates} names={given.templates.map(({ name }) => name)} />
            {isAdmin ? (
              <GrantForm courseId={courseId} given={given} />
            ) : (
              <>
                <Names title={t.authoring.images.granted} names={given.registries} />
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
          <section aria-labelledby="images" className="flex flex-col gap-4">
            <h2 id="images" className="text-lg font-semibold">
              {t.authoring.images.title}
            </h2>
            <Images page={search.page} onPage={(page) => onSearch({ page })} mayAdd={given.registries.length > 0} />
            {!isAdmin && mayChange && given.registries.length === 0 && (
              <p className="text-sm text-ink-soft">{t.authoring.images.noRegistries}</p>
            )}
          </section>
        </>
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

const wordsOf = (text: string): string[] => text.split(/\s+/).filter((word) => word !== '');

function GrantForm({ courseId: course_id, given }: { courseId: number; given: Grants }) {
  const t = useStrings();
  const words = t.authoring.staff;
  const toasts = useToasts();
  const client = useQueryClient();
  const { has_internet, has_root, has_repository } = given;
  const values = {
    images: given.images.join('\n'),
    registries: given.registries.join('\n'),
    has_internet,
    has_root,
    has_repository,
  };
  const sent = useSentForm(values, async ({ images, registries, ...rest }) => {
    const body = { ...rest, images: wordsOf(images), registries: wordsOf(registries) };
    const params = { path: { course_id } };
    await ok(api.PUT('/api/admin/lessons/courses/{course_id}/grants', { params, body }));
    toasts.done(t.common.saved);
    await client.invalidateQueries({ queryKey: keyOf(course_id) });
    await client.invalidateQueries({ queryKey: ['authoring'] });
    await client.invalidateQueries({ queryKey: imagesKey });
  });
  return (
    <SentForm sent={sent} action={t.common.save}>
      <TextArea
        label={words.images}
        help={words.imagesHelp}
        rows={3}
        spellCheck={false}
        className="font-mono"
        {...sent.field('images')}
      />
      <TextArea
        label={t.authoring.images.granted}
        help={t.authoring.images.grantedHelp}
        rows={2}
        spellCheck={false}
        className="font-mono"
        {...sent.field('registries')}
      />
      {flags.map((flag) => (
        <Checkbox key={flag} label={words[flag]} {...sent.form.register(flag)} />
      ))}
    </SentForm>
  );
}
