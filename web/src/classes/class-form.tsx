import { useQuery, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { api } from '../api/client.ts';
import { ok } from '../api/problem.ts';
import { navigate } from '../routing/router.ts';
import { useStrings } from '../strings/use-strings.tsx';
import { classesKey, type SchoolClass } from '../teaching-model/classes.ts';
import { allCoursesQuery } from '../teaching-model/parents.ts';
import { Checkbox, TextArea, TextField } from '../ui/forms/field.tsx';
import { useSentForm } from '../ui/forms/form-field.ts';
import { SentForm } from '../ui/forms/sent-form.tsx';
import { useToasts } from '../ui/toasts.tsx';
import { ChoiceList } from './choice-list.tsx';

/** The fields of a new class, or of an existing one. */
export function ClassForm({ given, onDone }: { given?: SchoolClass; onDone?: () => void }) {
  const t = useStrings();
  const toasts = useToasts();
  const queries = useQueryClient();
  const [courses, setCourses] = useState(new Set(given?.course_ids ?? []));
  const { name = '', description = '', is_archived = false, has_assistant_graders = false } = given ?? {};
  const sent = useSentForm({ name, description, is_archived, has_assistant_graders }, async (values) => {
    const body = { ...values, course_ids: [...courses] };
    const saved = given
      ? await ok(api.PUT('/api/classes/{id}', { params: { path: { id: given.id } }, body }))
      : await ok(api.POST('/api/classes', { body }));
    toasts.done(given ? t.classes.saved : t.classes.created(saved.name));
    await queries.invalidateQueries({ queryKey: classesKey });
    if (!given) navigate({ to: '/classes/$classId', params: { classId: `${saved.id}` } });
    onDone?.();
  });
  const { form, field } = sent;
  return (
    <SentForm sent={sent} action={given ? t.common.save : t.common.create}>
      <TextField label={t.classes.name} required maxLength={200} {...field('name')} />
      <TextArea label={t.classes.description} rows={3} {...field('description')} />
      <Courses chosen={courses} onChange={setCourses} />
      <Checkbox label={t.classes.assistantGraders} {...form.register('has_assistant_graders')} />
      {given && <Checkbox label={t.classes.archived} {...form.register('is_archived')} />}
    </SentForm>
  );
}

/** A chosen course that the user does not see, such as an inactive one, stays chosen. */
function Courses({ chosen, onChange }: { chosen: Set<number>; onChange: (chosen: Set<number>) => void }) {
  const t = useStrings();
  const { data = [] } = useQuery(allCoursesQuery);
  if (data.length === 0) return null;
  return (
    <ChoiceList
      legend={t.classes.courses}
      choices={data.map(({ id, name }) => ({ id, label: name }))}
      chosen={chosen}
      onChange={onChange}
    />
  );
}
