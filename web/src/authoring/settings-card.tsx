import { useStrings } from '../strings/use-strings.tsx';
import { Card } from '../ui/card.tsx';
import { Select, TextArea, TextField } from '../ui/field.tsx';
import { sumOfPoints } from './draft.ts';
import { ImageField } from './image-field.tsx';
import { usePlaces } from './subject-queries.ts';
import type { SubjectEditor } from './use-subject-editor.ts';

/** All fields of an exam or a laboratory except its tasks. */
export function SettingsCard({ editor }: { editor: SubjectEditor }) {
  const t = useStrings();
  const words = t.authoring.subject;
  const { kind, draft, problems, changeSettings } = editor;
  const { settings, tasks } = draft;
  const places = usePlaces(kind);
  const sum = sumOfPoints(tasks);
  const isTooHigh = tasks.length > 0 && Number(settings.passing_score) > sum;
  const number = { inputMode: 'numeric', autoComplete: 'off', className: 'tabular-nums' } as const;
  return (
    <Card className="flex flex-col gap-4 p-5">
      <h2 className="text-lg font-semibold">{words.settings}</h2>
      <TextField
        label={words.title}
        value={settings.title}
        onChange={(event) => changeSettings({ title: event.target.value })}
        problem={problems.settings.title}
        maxLength={200}
        required
        autoComplete="off"
      />
      <TextArea
        label={words.description}
        help={words.descriptionHelp}
        value={settings.description}
        onChange={(event) => changeSettings({ description: event.target.value })}
        problem={problems.settings.description}
        rows={5}
      />
      <div className="grid items-start gap-4 sm:grid-cols-2">
        <ImageField
          value={settings.container_image}
          onChange={(container_image) => changeSettings({ container_image })}
          problem={problems.settings.container_image}
        />
        <Select
          label={t.authoring.kinds[kind].place}
          value={settings.place}
          onChange={(event) => changeSettings({ place: event.target.value })}
          problem={problems.settings.place}
          options={[
            { value: '', label: t.authoring.kinds[kind].noPlace },
            ...places.map(({ id, name }) => ({ value: `${id}`, label: name })),
          ]}
        />
        <TextField
          {...number}
          label={words.timeLimit}
          help={kind === 'laboratory' ? words.noTimeLimit : undefined}
          value={settings.time_limit_minutes}
          onChange={(event) => changeSettings({ time_limit_minutes: event.target.value })}
          problem={problems.settings.time_limit_minutes}
          required={kind === 'exam'}
        />
        <TextField
          {...number}
          label={words.passingScore}
          help={words.passingOf(t.common.points(sum))}
          value={settings.passing_score}
          onChange={(event) => changeSettings({ passing_score: event.target.value })}
          problem={
            problems.settings.passing_score ?? (isTooHigh ? words.passingTooHigh(t.common.points(sum)) : undefined)
          }
          required
        />
        {kind === 'exam' && (
          <TextField
            {...number}
            label={words.order}
            help={words.orderHelp}
            value={settings.order_index}
            onChange={(event) => changeSettings({ order_index: event.target.value })}
            problem={problems.settings.order_index}
            required
          />
        )}
      </div>
    </Card>
  );
}
