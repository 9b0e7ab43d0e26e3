import { useStrings } from '../../strings/use-strings.tsx';
import { Button } from '../../ui/button.tsx';
import { TextField } from '../../ui/forms/field.tsx';
import { fieldOf } from '../../ui/forms/form-field.ts';
import { pointsToPass, sumOfPoints } from './draft.ts';
import type { AssessmentEditor } from './use-editor.ts';

/** The points to pass. They follow the tasks until they are edited, and again on request. */
export function PassingScore({ editor: { form, draft } }: { editor: AssessmentEditor }) {
  const t = useStrings();
  const words = t.authoring.assessment;
  const { settings, tasks } = draft;
  const sum = sumOfPoints(tasks);
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
        <Button look="quiet" size="small" className="self-start" onClick={() => follow(true)}>
          {words.passingFollow(t.common.points(pointsToPass(tasks)))}
        </Button>
      )}
    </div>
  );
}
