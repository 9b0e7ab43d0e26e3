import { useQuery } from '@tanstack/react-query';
import { useParams } from '@tanstack/react-router';
import { FlaskConical, Send, Trash2 } from 'lucide-react';
import { useEffect, useRef, useState } from 'react';
import type { Kind } from '../../api/kinds.ts';
import { navigate } from '../../routing/router.ts';
import { useStrings } from '../../strings/use-strings.tsx';
import { Button, IconButton } from '../../ui/button.tsx';
import { Crumb, Crumbs } from '../../ui/crumbs.tsx';
import { Confirm } from '../../ui/dialog.tsx';
import { DraftNote } from '../../ui/forms/draft-note.tsx';
import { showArrival } from '../../ui/lists/arrivals.ts';
import { Page } from '../../ui/page.tsx';
import { Empty, Fetched } from '../../ui/states.tsx';
import { useToasts } from '../../ui/toasts.tsx';
import { type Assessment, callsOf } from './assessment-calls.ts';
import { FilesCard } from './files-card.tsx';
import { DeleteAssessment, StatusBadge } from './list-page.tsx';
import { assessmentQuery } from './queries.ts';
import { RunningStates } from './running-states.tsx';
import { SaveBar } from './save-bar.tsx';
import { SettingsCard } from './settings-card.tsx';
import { TaskForm } from './task-form.tsx';
import { TaskList } from './task-list.tsx';
import { TrialPanel } from './trial-panel.tsx';
import { type AssessmentEditor, useAssessmentEditor } from './use-editor.ts';
import { type TrialRun, useTrial } from './use-trial.ts';

export const ExamEditorPage = () => (
  <AssessmentEditorPage
    kind="exam"
    id={Number(useParams({ from: '/administration/exams/$assessmentId' }).assessmentId)}
  />
);
export const LaboratoryEditorPage = () => (
  <AssessmentEditorPage
    kind="laboratory"
    id={Number(useParams({ from: '/administration/laboratories/$assessmentId' }).assessmentId)}
  />
);

/** The editor of an exam or a laboratory: settings, tasks with their scripts, trial, publication. */
function AssessmentEditorPage({ kind, id }: { kind: Kind; id: number }) {
  const t = useStrings();
  const assessment = useQuery(assessmentQuery(kind, id));
  if (assessment.data) return <Editor key={id} kind={kind} saved={assessment.data} />;
  return (
    <Page title={t.authoring.kinds[kind].untitled} crumbs={<Above kind={kind} id={id} />}>
      <Fetched query={assessment}>{() => null}</Fetched>
    </Page>
  );
}

function Editor({ kind, saved }: { kind: Kind; saved: Assessment }) {
  const t = useStrings();
  const editor = useAssessmentEditor(kind, saved);
  const trial = useTrial(editor);
  const panel = useTrialInView(trial);
  useFirstProblemInView(editor);
  return (
    <Page
      title={saved.title || t.authoring.kinds[kind].untitled}
      crumbs={<Above kind={kind} id={saved.id} />}
      lead={<StatusBadge isActive={saved.is_active} />}
      actions={<AssessmentActions {...{ editor, trial }} />}
    >
      <DraftNote draft={editor.kept} onDiscard={editor.discard} />
      <RunningStates kind={kind} id={saved.id} />
      <SettingsCard editor={editor} />
      <FilesCard editor={editor} />
      <TaskSection editor={editor} trial={trial} onTryTask={trial.tryTask} />
      <div ref={panel} tabIndex={-1} className="scroll-my-4 rounded-lg">
        <TrialPanel trial={trial} />
      </div>
      <SaveBar editor={editor} />
    </Page>
  );
}

/** Scrolls to the trial and focuses it when it begins. Does so again for its result, unless the user has moved on. */
function useTrialInView({ state: { status } }: TrialRun) {
  const panel = useRef<HTMLDivElement>(null);
  useEffect(() => {
    const element = panel.current;
    if (!element || status === 'none') return;
    if (status === 'running') element.focus({ preventScroll: true });
    const { activeElement } = document;
    if (activeElement === document.body || element.contains(activeElement)) element.scrollIntoView({ block: 'start' });
  }, [status]);
  return panel;
}

/** Moves the focus to the first field that has to be corrected. */
function useFirstProblemInView({ refusals }: AssessmentEditor): void {
  useEffect(() => {
    if (refusals === 0) return;
    // In the next frame the task with the problem is shown.
    const frame = requestAnimationFrame(() => document.querySelector<HTMLElement>('main [aria-invalid=true]')?.focus());
    return () => cancelAnimationFrame(frame);
  }, [refusals]);
}

/** The list shows where it is. */
function Above({ kind, id }: { kind: Kind; id: number }) {
  const t = useStrings();
  return (
    <Crumbs>
      <Crumb
        to={kind === 'exam' ? '/administration/exams' : '/administration/laboratories'}
        onClick={() => showArrival(kind, id)}
      >
        {t.authoring.kinds[kind].listTitle}
      </Crumb>
    </Crumbs>
  );
}

/** The list of tasks, and the form of the chosen one. */
function TaskSection({
  editor,
  trial,
  onTryTask,
}: {
  editor: AssessmentEditor;
  trial: TrialRun;
  onTryTask: (key: string) => void;
}) {
  const t = useStrings();
  const { tasks } = editor.draft;
  const [chosen, setChosen] = useState(tasks[0]?.key);
  const { form, refusals } = editor;
  // biome-ignore lint/correctness/useExhaustiveDependencies: only a refusal shows another task
  useEffect(() => {
    const { errors } = form.formState;
    const hasProblem = (_task: unknown, index: number): boolean => errors.tasks?.[index] !== undefined;
    if (refusals > 0 && !tasks.some((task, index) => task.key === chosen && hasProblem(task, index))) {
      setChosen((shown) => tasks.find(hasProblem)?.key ?? shown);
    }
  }, [refusals]);
  // After the chosen task was deleted the first one is shown.
  const index = Math.max(
    0,
    tasks.findIndex(({ key }) => key === chosen),
  );
  const task = tasks[index];
  const add = (): void => {
    const key = editor.addTask();
    setChosen(key);
    showArrival('task', key);
  };
  return (
    <section className="flex flex-col gap-3">
      <h2 className="text-lg font-semibold">{t.authoring.assessment.tasks}</h2>
      <div className="grid items-start gap-4 lg:grid-cols-[18rem_1fr]">
        <TaskList editor={editor} chosen={task?.key} onChoose={setChosen} onAdd={add} />
        {task ? (
          <TaskForm key={task.key} {...{ editor, task, index, trial }} onTry={() => onTryTask(task.key)} />
        ) : (
          <Empty title={t.authoring.task.emptyTitle}>{t.authoring.task.emptyHelp}</Empty>
        )}
      </div>
    </section>
  );
}

/** What is done with an exam or a laboratory as a whole: trial, publication, deletion. */
function AssessmentActions({ editor, trial }: { editor: AssessmentEditor; trial: TrialRun }) {
  const t = useStrings();
  const words = t.authoring.assessment;
  const toasts = useToasts();
  const [asking, setAsking] = useState<'retire' | 'delete'>();
  const { kind, saved, draft } = editor;
  const isBusy = trial.isRunning || editor.isSaving;
  const close = (): void => setAsking(undefined);
  const retire = async (): Promise<void> => {
    await callsOf[kind].update(saved.id, { is_active: false });
    await editor.refresh();
    toasts.done(words.retired(saved.title));
  };
  const publish = (): void => {
    if (draft.tasks.length === 0) toasts.inform(words.noTasksToPublish);
    else trial.publish();
  };
  return (
    <>
      <Button disabled={isBusy} onClick={trial.tryAll}>
        <FlaskConical size={16} aria-hidden="true" /> {t.authoring.trial.tryAll}
      </Button>
      {saved.is_active ? (
        <Button disabled={isBusy} onClick={() => setAsking('retire')}>
          {words.retire}
        </Button>
      ) : (
        <Button look="primary" disabled={isBusy} onClick={publish} title={words.publishHelp}>
          <Send size={16} aria-hidden="true" /> {words.publish}
        </Button>
      )}
      <IconButton
        size="normal"
        label={words.deleteNamed(saved.title)}
        disabled={isBusy}
        onClick={() => setAsking('delete')}
      >
        <Trash2 size={18} aria-hidden="true" />
      </IconButton>
      <Confirm
        title={words.retireTitle(saved.title)}
        action={words.retire}
        isOpen={asking === 'retire'}
        onOpenChange={(isOpen) => !isOpen && close()}
        onConfirm={retire}
      >
        <p>{t.authoring.kinds[kind].retireHelp}</p>
      </Confirm>
      {asking === 'delete' && (
        <DeleteAssessment
          kind={kind}
          assessment={saved}
          onClose={close}
          onDone={() =>
            navigate({
              to: kind === 'exam' ? '/administration/exams' : '/administration/laboratories',
              ignoreBlocker: true,
            })
          }
        />
      )}
    </>
  );
}
