import { MarkdownArea } from '../../markdown/markdown-area.tsx';
import { useStrings } from '../../strings/use-strings.tsx';
import { ImageField } from '../../teaching-model/images.tsx';
import { OpeningFields } from '../../teaching-model/opening-fields.tsx';
import { Button, longText } from '../../ui/button.tsx';
import { Card } from '../../ui/card.tsx';
import { Checkbox, Select, TextArea, TextField } from '../../ui/forms/field.tsx';
import { fieldOf } from '../../ui/forms/form-field.ts';
import { pointsToPass, sumOfPoints } from './draft.ts';
import { usePlaces } from './queries.ts';
import { ScriptField } from './script-field.tsx';
import type { AssessmentEditor } from './use-editor.ts';

type Props = { editor: AssessmentEditor };

/** What students read: title, description, introduction and conclusion. */
export function TextsCard({ editor: { form } }: Props) {
  const words = useStrings().authoring.assessment;
  return (
    <Card className="flex flex-col gap-4 p-5">
      <h2 className="text-lg font-semibold">{words.texts}</h2>
      <TextField label={words.title} {...fieldOf(form, 'settings.title')} maxLength={200} required autoComplete="off" />
      <MarkdownArea
        label={words.description}
        help={words.descriptionHelp}
        {...fieldOf(form, 'settings.description')}
        rows={5}
      />
      <MarkdownArea
        label={words.introduction}
        help={words.introductionHelp}
        {...fieldOf(form, 'settings.introduction')}
        rows={5}
      />
      <MarkdownArea
        label={words.conclusion}
        help={words.conclusionHelp}
        {...fieldOf(form, 'settings.conclusion')}
        rows={3}
      />
    </Card>
  );
}

/** The machine on which the tasks are done. */
export function MachineCard({ editor: { form } }: Props) {
  const words = useStrings().authoring.assessment;
  return (
    <Card className="flex flex-col gap-4 p-5">
      <h2 className="text-lg font-semibold">{words.machine}</h2>
      <div className="grid grid-cols-1 items-start gap-4 sm:grid-cols-2">
        <ImageField control={form.control} name="settings.container_image" />
        <Select
          label={words.user}
          help={words.userHelp}
          {...fieldOf(form, 'settings.user')}
          options={[
            { value: 'student', label: 'student' },
            { value: 'root', label: 'root' },
          ]}
        />
      </div>
      <ScriptField label={words.setup} help={words.setupHelp} control={form.control} name="settings.setup_script" />
    </Card>
  );
}

/** Where an exam or a laboratory belongs, and how it is taken. */
export function RulesCard({ editor }: Props) {
  const t = useStrings();
  const words = t.authoring.assessment;
  const { kind, form, draft } = editor;
  const { settings } = draft;
  const places = usePlaces(kind);
  const place = places.find(({ id }) => `${id}` === settings.place);
  const number = { inputMode: 'numeric', autoComplete: 'off', className: 'tabular-nums' } as const;
  return (
    <Card className="flex flex-col gap-4 p-5">
      <h2 className="text-lg font-semibold">{words.settings}</h2>
      <div className="grid grid-cols-1 items-start gap-4 sm:grid-cols-2">
        <Select
          // The options are loaded after the form. An uncontrolled select would show the first of them.
          value={settings.place}
          label={t.authoring.kinds[kind].place}
          {...fieldOf(form, 'settings.place')}
          options={[
            { value: '', label: t.authoring.kinds[kind].noPlace },
            ...places.map(({ id, name }) => ({ value: `${id}`, label: name })),
          ]}
        />
        <TextField
          {...number}
          label={words.timeLimit}
          help={kind === 'laboratory' ? words.noTimeLimit : undefined}
          {...fieldOf(form, 'settings.time_limit_minutes')}
          required={kind === 'exam'}
        />
        {kind === 'exam' && (
          <TextField
            {...number}
            label={words.order}
            help={words.orderHelp}
            {...fieldOf(form, 'settings.order_index')}
            required
          />
        )}
      </div>
      <OpeningFields
        time={fieldOf(form, 'settings.opens_at')}
        after={settings.opens_after}
        onAfter={(keys) => form.setValue('settings.opens_after', keys, { shouldDirty: true })}
        problem={form.getFieldState('settings.opens_after', form.formState).error?.message}
        courseId={place && (place.course_id ?? place.id)}
        own={kind === 'laboratory' ? `${kind}:${editor.saved.id}` : undefined}
      />
      {(settings.draw !== '' || draft.tasks.some(({ pool }) => pool !== '')) && (
        <TextArea label={words.draw} help={words.drawHelp} {...fieldOf(form, 'settings.draw')} rows={2} />
      )}
      {kind === 'laboratory' && (
        <div className="flex flex-col">
          <Checkbox label={words.sequential} {...form.register('settings.is_sequential')} />
          <p className="text-sm text-ink-soft">{words.sequentialHelp}</p>
        </div>
      )}
      {kind === 'exam' && (
        <div className="flex flex-col">
          <Checkbox label={words.sessionOnly} {...form.register('settings.is_session_only')} />
          <p className="text-sm text-ink-soft">{words.sessionOnlyHelp}</p>
        </div>
      )}
      {kind === 'exam' && (
        <div className="flex flex-col">
          <Checkbox label={words.certificate} {...form.register('settings.has_certificate')} />
          <p className="text-sm text-ink-soft">{words.certificateHelp}</p>
        </div>
      )}
    </Card>
  );
}

/** The points to pass. They follow the tasks until they are edited, and again on request. */
export function PassingScore({ editor: { form, draft } }: Props) {
  const t = useStrings();
  const words = t.authoring.assessment;
  const { settings, tasks } = draft;
  const sum = sumOfPoints(draft);
  const all = t.common.points(sum);
  const isTooHigh = tasks.length > 0 && Number(settings.passing_score) > sum;
  const { onChange, problem, ...field } = fieldOf(form, 'settings.passing_score');
  const follow = (isFollowing: boolean): void => form.setValue('settings.follows_tasks', isFollowing);
  return (
    <div className="flex flex-col gap-1">
      <TextField
        inputMode="numeric"
        autoComplete="off"
        className="tabular-nums"
        label={words.passingScore}
        help={settings.follows_tasks ? words.passingFollows(all) : words.passingOf(all)}
        {...field}
        onChange={(event) => {
          follow(false);
          void onChange(event);
        }}
        problem={problem ?? (isTooHigh ? words.passingTooHigh(all) : undefined)}
        required
      />
      {tasks.length === 0 && <p className="text-sm text-warn">{words.noTasks}</p>}
      {!settings.follows_tasks && (
        <Button look="quiet" size="small" className={`self-start text-left ${longText}`} onClick={() => follow(true)}>
          {words.passingFollow(t.common.points(pointsToPass(draft)))}
        </Button>
      )}
    </div>
  );
}
