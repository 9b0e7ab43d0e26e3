import { useQuery, useQueryClient } from '@tanstack/react-query';
import { Pencil, Plus } from 'lucide-react';
import { useEffectEvent, useLayoutEffect, useRef, useState } from 'react';
import { api } from '../api/client.ts';
import { pathOf } from '../api/kinds.ts';
import { isRefusal, ok } from '../api/problem.ts';
import { signed } from '../attempts/feedback.tsx';
import { feedbackKey } from '../attempts/queries.ts';
import { useFormat, useStrings } from '../strings/use-strings.tsx';
import { Button, IconButton } from '../ui/button.tsx';
import { Card } from '../ui/card.tsx';
import { DeleteButton } from '../ui/delete-button.tsx';
import { Dialog } from '../ui/dialog.tsx';
import { DraftNote } from '../ui/forms/draft-note.tsx';
import { TextArea, TextField } from '../ui/forms/field.tsx';
import { useSentForm } from '../ui/forms/form-field.ts';
import { SentForm } from '../ui/forms/sent-form.tsx';
import { useDraft } from '../ui/forms/use-draft.ts';
import { ProblemNote } from '../ui/problem-note.tsx';
import { useToasts } from '../ui/toasts.tsx';
import { isTaken } from './grading-keys.ts';
import {
  gradingKey,
  type OpenedResult,
  paramsOf,
  type RubricItem,
  rubricQuery,
  type TaskPlace,
} from './grading-queries.ts';
import { RubricChanges } from './rubric-changes.tsx';
import { isUnsettled, TwoGraders } from './two-graders.tsx';

/** The rubric of the task with what is chosen for one result, own points, and the reason. */
export function GradingForm({ result, onSaved }: { result: OpenedResult; onSaved: () => void }) {
  const { grading: words, feedback } = useStrings();
  const format = useFormat();
  const queries = useQueryClient();
  const toasts = useToasts();
  const { key, kind, assessment_id, task_id, points, is_decider } = result;
  const place = assessment_id === null ? undefined : { kind, id: assessment_id, taskId: task_id };
  const { data: items = [] } = useQuery({
    ...rubricQuery(place ?? { kind, id: 0, taskId: 0 }),
    enabled: place !== undefined,
    retry: false,
  });
  const last =
    result.grades.find(({ is_own }) => is_own) ?? result.decisions.findLast((one) => one.task_id === task_id);
  // That which the form was opened with: what somebody else gives meanwhile is neither overwritten nor settled unseen.
  const [{ revision, is_settlement }, setSeen] = useState(seenOf(result));
  const [given, setGiven] = useState(() => ({
    chosen: last?.rubric_items?.map(({ id }) => id) ?? [],
    own: last && !last.is_by_rubric ? `${last.points_earned}` : '',
    reason: isUnsettled(result) ? '' : (last?.reason ?? ''),
  }));
  const [values, setValues] = useState(given);
  const { chosen, own, reason } = values;
  const change = (changed: Partial<typeof values>): void => setValues({ ...values, ...changed });
  const draft = useDraft(`grade-${key}`, {
    ...{ values, base: { given, revision }, isDirty: JSON.stringify(values) !== JSON.stringify(given) },
    restore: setValues,
  });
  const [isSaving, setSaving] = useState(false);
  const [error, setError] = useState<unknown>();
  const form = useRef<HTMLFormElement>(null);
  const saveButton = useRef<HTMLButtonElement>(null);
  const [isOutdated, setOutdated] = useState(false);
  const there = chosen.filter((id) => items.some((item) => item.id === id));
  const sum = items.reduce((all, item) => all + (there.includes(item.id) ? Math.round(item.points * 100) : 0), 0) / 100;
  const earned = own === '' ? Math.min(points, Math.max(0, sum)) : Number(own);
  const isByRubric = own === '' && items.length > 0;
  const needsReason = !isByRubric || is_settlement;
  // Who does not decide about it grades it only until it is decided, and settles nothing.
  const canSave = is_decider || (result.is_awaiting_grading && !isUnsettled(result));
  const toggle = (item: RubricItem | undefined): void => {
    if (item) change({ chosen: there.includes(item.id) ? there.filter((id) => id !== item.id) : [...there, item.id] });
  };
  const save = async (): Promise<void> => {
    if (isSaving || !canSave || !form.current?.reportValidity()) return;
    setSaving(true);
    setError(undefined);
    const body = {
      ...{ revision, is_settlement },
      ...(items.length > 0 && { rubric_item_ids: [...there] }),
      ...(own !== '' && { points_earned: Number(own) }),
      ...(reason.trim() !== '' && { reason }),
    };
    try {
      const opened = await ok(api.PUT('/api/instructor/grading/{key}', { params: { path: { key } }, body }));
      draft.drop();
      setGiven(values);
      setSeen(seenOf(opened));
      queries.setQueryData([...gradingKey, 'opened', key], opened);
      await Promise.all([
        queries.invalidateQueries({ queryKey: [...gradingKey, 'list'] }),
        queries.invalidateQueries({ queryKey: [...gradingKey, 'tasks'] }),
        queries.invalidateQueries({ queryKey: feedbackKey }),
      ]);
      toasts.done(opened.is_awaiting_grading ? words.gradeSaved : feedback.saved);
      onSaved();
    } catch (problem) {
      // The work beside shows what somebody else has decided.
      if (isRefusal(problem, 'graded_meanwhile')) {
        await queries.invalidateQueries({ queryKey: [...gradingKey, 'opened', key] });
        setOutdated(true);
      }
      setError(problem);
    } finally {
      setSaving(false);
    }
  };
  const onKey = useEffectEvent((event: KeyboardEvent) => {
    if (isTaken(event)) return;
    // The key that saved one result is still held when the next is shown.
    if (event.repeat && event.key === 'Enter') return event.preventDefault();
    const isButton = event.target instanceof Element && event.target.closest('button, a, summary') !== null;
    if (/^[1-9]$/.test(event.key)) {
      toggle(items[Number(event.key) - 1]);
      // Enter saves now, and does not press the button of the last click.
      if (isButton && document.activeElement instanceof HTMLElement) document.activeElement.blur();
    } else if (event.key === 'Enter' && !isButton) {
      // No points are given by a button alone, which says how many.
      if (items.length > 0 && there.length === 0 && own === '') saveButton.current?.focus();
      else void save();
    } else return;
    event.preventDefault();
  });
  useLayoutEffect(() => {
    document.addEventListener('keydown', onKey);
    return () => document.removeEventListener('keydown', onKey);
  }, []);
  return (
    <Card className="flex flex-col gap-4 lg:sticky lg:top-4">
      <DraftNote draft={draft} onDiscard={() => setValues(given)} />
      <TwoGraders result={result} />
      <h3 className="font-semibold">{words.rubric}</h3>
      {items.length === 0 && <p className="text-sm text-ink-soft">{words.noRubric}</p>}
      {place && <Rubric place={place} items={items} chosen={there} onToggle={toggle} canChange={is_decider} />}
      {place && is_decider && <RubricChanges place={place} />}
      <form
        ref={form}
        className="flex flex-col gap-4 border-t pt-4"
        onSubmit={(event) => {
          event.preventDefault();
          void save();
        }}
      >
        {error !== undefined && <ProblemNote error={error} />}
        {isOutdated && (
          <Button
            size="small"
            onClick={() => {
              setSeen(seenOf(result));
              setOutdated(false);
              setError(undefined);
            }}
          >
            {words.decideAll}
          </Button>
        )}
        <TextField
          label={words.own}
          help={items.length > 0 ? words.ownHelp : words.ownHelpAlone(format.decimal(points))}
          type="number"
          required={items.length === 0}
          min={0}
          max={points}
          step={0.01}
          value={own}
          onChange={({ target }) => change({ own: target.value })}
        />
        <TextArea
          label={feedback.why}
          help={needsReason ? feedback.whyHelp : words.whyOptional}
          rows={3}
          maxLength={2000}
          required={needsReason}
          value={reason}
          onChange={({ target }) => change({ reason: target.value })}
          onKeyDown={(event) => {
            if (event.key === 'Enter' && (event.ctrlKey || event.metaKey)) void save();
          }}
        />
        <div className="flex items-center justify-between gap-3">
          <output className="font-semibold tabular-nums">
            {words.sum(format.decimal(earned), format.decimal(points))}
          </output>
          <Button ref={saveButton} type="submit" look="primary" isBusy={isSaving} disabled={!canSave}>
            {is_settlement ? words.settle : words.save}
          </Button>
        </div>
      </form>
    </Card>
  );
}

/** What a form was opened with. */
const seenOf = (result: OpenedResult) => ({ revision: result.revision, is_settlement: isUnsettled(result) });

/** The items, each with the key that toggles it. */
function Rubric({
  place,
  items,
  chosen,
  onToggle,
  canChange,
}: {
  place: TaskPlace;
  items: readonly RubricItem[];
  chosen: readonly number[];
  onToggle: (item: RubricItem) => void;
  canChange: boolean;
}) {
  const { grading: words } = useStrings();
  const format = useFormat();
  const queries = useQueryClient();
  const [edited, setEdited] = useState<RubricItem | 'new'>();
  const renew = () => queries.invalidateQueries({ queryKey: gradingKey });
  return (
    <>
      <ul className="flex flex-col gap-1">
        {items.map((item, index) => (
          <li key={item.id} className="flex items-start gap-1">
            <label className="flex min-h-8 min-w-0 flex-1 items-start gap-2 py-1 text-sm [overflow-wrap:anywhere]">
              <input
                type="checkbox"
                checked={chosen.includes(item.id)}
                onChange={() => onToggle(item)}
                className="mt-0.5 size-4 shrink-0 accent-accent"
              />
              <span className="min-w-0 flex-1">
                {index < 9 && (
                  <span aria-hidden="true" className="mr-1.5 rounded border px-1 font-mono text-xs text-ink-soft">
                    {index + 1}
                  </span>
                )}
                {item.text}
              </span>
              <span className="tabular-nums">{signed(format.decimal, item.points)}</span>
            </label>
            {canChange && (
              <>
                <IconButton label={words.changeItem(item.text)} aria-haspopup="dialog" onClick={() => setEdited(item)}>
                  <Pencil size={16} aria-hidden="true" />
                </IconButton>
                <DeleteButton
                  label={words.deleteItem(item.text)}
                  title={words.deleteTitle}
                  onConfirm={async () => {
                    const params = { path: { ...paramsOf(place).path, item_id: item.id } };
                    await ok(
                      api.DELETE(pathOf(place.kind, '/api/instructor/exams/{id}/tasks/{task_id}/rubric/{item_id}'), {
                        params,
                      }),
                    );
                    await renew();
                  }}
                >
                  {words.deleteHelp}
                </DeleteButton>
              </>
            )}
          </li>
        ))}
      </ul>
      {canChange && (
        <div>
          <Button size="small" onClick={() => setEdited('new')} aria-haspopup="dialog">
            <Plus size={16} aria-hidden="true" /> {words.addItem}
          </Button>
        </div>
      )}
      <Dialog
        title={edited === 'new' ? words.addItem : words.change}
        isOpen={edited !== undefined}
        onOpenChange={() => setEdited(undefined)}
        width="max-w-md"
      >
        <ItemForm
          place={place}
          item={edited === 'new' ? undefined : edited}
          onDone={async () => {
            await renew();
            setEdited(undefined);
          }}
        />
      </Dialog>
    </>
  );
}

function ItemForm({
  place,
  item,
  onDone,
}: {
  place: TaskPlace;
  item: RubricItem | undefined;
  onDone: () => Promise<void>;
}) {
  const { grading: words, feedback } = useStrings();
  const sent = useSentForm({ text: item?.text ?? '', points: `${item?.points ?? ''}` }, async (values) => {
    const body = { text: values.text, points: Number(values.points) };
    const { path } = paramsOf(place);
    if (item === undefined)
      await ok(
        api.POST(pathOf(place.kind, '/api/instructor/exams/{id}/tasks/{task_id}/rubric'), { params: { path }, body }),
      );
    else
      await ok(
        api.PUT(pathOf(place.kind, '/api/instructor/exams/{id}/tasks/{task_id}/rubric/{item_id}'), {
          params: { path: { ...path, item_id: item.id } },
          body,
        }),
      );
    await onDone();
  });
  return (
    <SentForm sent={sent} action={feedback.save}>
      <TextArea
        label={words.itemText}
        help={words.itemHelp}
        rows={2}
        maxLength={500}
        required
        {...sent.field('text')}
      />
      <TextField
        label={words.itemPoints}
        help={words.itemPointsHelp}
        type="number"
        required
        min={-10_000}
        max={10_000}
        step={0.01}
        {...sent.field('points')}
      />
    </SentForm>
  );
}
