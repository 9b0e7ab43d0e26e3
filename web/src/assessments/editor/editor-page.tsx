import { useQuery } from '@tanstack/react-query';
import { Link, useParams } from '@tanstack/react-router';
import { FlaskConical, RotateCcw, Send, Trash2 } from 'lucide-react';
import { useEffect, useRef, useState } from 'react';
import type { Kind } from '../../api/kinds.ts';
import { navigate } from '../../routing/router.ts';
import { useAddress } from '../../routing/use-address.ts';
import { useStrings } from '../../strings/use-strings.tsx';
import { behindDoor, ChangeableFields, DoorCrumbs, ViewerNote } from '../../teaching-model/behind-door.tsx';
import { useDoor } from '../../teaching-model/door.ts';
import { PreviewButton } from '../../teaching-model/preview-button.tsx';
import { RegradeDialog } from '../../teaching-model/regrade-dialog.tsx';
import { ActionRow } from '../../ui/action-row.tsx';
import { Button } from '../../ui/button.tsx';
import { Card } from '../../ui/card.tsx';
import { Crumb } from '../../ui/crumbs.tsx';
import { Confirm } from '../../ui/dialog.tsx';
import { DraftNote } from '../../ui/forms/draft-note.tsx';
import { showArrival } from '../../ui/lists/arrivals.ts';
import { Page } from '../../ui/page.tsx';
import { Empty, Fetched } from '../../ui/states.tsx';
import { TabPanel, Tabs } from '../../ui/tabs.tsx';
import { useToasts } from '../../ui/toasts.tsx';
import { type Assessment, callsOf } from './assessment-calls.ts';
import type { TaskDraft } from './draft.ts';
import { FilesCard } from './files-card.tsx';
import { DeleteAssessment, editorPaths, StatusBadge } from './list-page.tsx';
import { assessmentQuery } from './queries.ts';
import { RunningStates } from './running-states.tsx';
import { SaveBar } from './save-bar.tsx';
import { MachineCard, PassingScore, RulesCard, TextsCard } from './settings-card.tsx';
import { TaskForm } from './task-form.tsx';
import { TaskList } from './task-list.tsx';
import type { TaskTemplate } from './task-templates.ts';
import { TrialPanel } from './trial-panel.tsx';
import { type AssessmentEditor, useAssessmentEditor } from './use-editor.ts';
import { type TrialRun, useTrial } from './use-trial.ts';

/** What students see of it. */
const pageOf = (kind: Kind, id: number) =>
  ({ to: `/${kind === 'exam' ? 'exams' : 'laboratories'}/$assessmentId`, params: { assessmentId: `${id}` } }) as const;
const listPaths = { exam: '/administration/exams', laboratory: '/administration/laboratories' } as const;

export const ExamEditorPage = behindDoor(() => (
  <AssessmentEditorPage kind="exam" id={Number(useParams({ strict: false }).assessmentId)} />
));
export const LaboratoryEditorPage = behindDoor(() => (
  <AssessmentEditorPage kind="laboratory" id={Number(useParams({ strict: false }).assessmentId)} />
));

/** The editor of an exam or a laboratory: tasks with their scripts, texts, machine, trial, settings. */
function AssessmentEditorPage({ kind, id }: { kind: Kind; id: number }) {
  const t = useStrings();
  const assessment = useQuery(assessmentQuery(useDoor(), kind, id));
  if (assessment.data) return <Editor key={id} kind={kind} saved={assessment.data} />;
  return (
    <Page title={t.authoring.kinds[kind].untitled} crumbs={<Above kind={kind} id={id} />}>
      <Fetched query={assessment}>{() => null}</Fetched>
    </Page>
  );
}

/** One form over all tabs. The form keeps what is typed in those that are not shown. */
function Editor({ kind, saved }: { kind: Kind; saved: Assessment }) {
  const t = useStrings();
  const words = t.authoring.assessment;
  const editor = useAssessmentEditor(kind, saved);
  const trial = useTrial(editor);
  const [chosen, setChosen] = useState(editor.draft.tasks[0]?.key);
  const { search, onSearch } = useAddress(editor.door.page(editorPaths[kind]));
  const { status } = trial.state;
  // biome-ignore lint/correctness/useExhaustiveDependencies: only the beginning of a trial shows it
  useEffect(() => {
    if (status === 'running') onSearch({ tab: 'trial' });
  }, [status === 'running']);
  useFirstProblemInView(editor, search.tab ?? 'tasks', (tab) => onSearch({ tab }));
  return (
    <Page
      title={saved.title || t.authoring.kinds[kind].untitled}
      crumbs={<Above kind={kind} id={saved.id} />}
      lead={<StatusBadge isActive={saved.is_active} />}
      actions={
        <>
          {/* Of what is saved. */}
          <PreviewButton
            disabled={editor.isDirty || editor.isSaving}
            onBegin={() => navigate(pageOf(kind, saved.id))}
          />
          {editor.door.mayChange && <AssessmentActions {...{ editor, trial }} />}
        </>
      }
    >
      <ViewerNote />
      <DraftNote draft={editor.kept} onDiscard={editor.discard} />
      <RunningStates kind={kind} id={saved.id} />
      <Tabs
        label={saved.title || t.authoring.kinds[kind].untitled}
        titles={{
          tasks: words.tasks,
          texts: words.texts,
          machine: words.machine,
          trial: t.authoring.trial.title,
          settings: words.settings,
        }}
        shown={search.tab}
      >
        <TabPanel name="tasks">
          <TaskSection editor={editor} trial={trial} chosen={chosen} onChoose={setChosen} />
        </TabPanel>
        <TabPanel name="texts">
          <ChangeableFields>
            <TextsCard editor={editor} />
          </ChangeableFields>
        </TabPanel>
        <TabPanel name="machine">
          <ChangeableFields>
            <MachineCard editor={editor} />
          </ChangeableFields>
          <FilesCard editor={editor} />
        </TabPanel>
        <TabPanel name="trial">
          <TrialInView trial={trial} tasks={editor.draft.tasks} />
        </TabPanel>
        <TabPanel name="settings">
          <ChangeableFields>
            <RulesCard editor={editor} />
          </ChangeableFields>
          {editor.door.mayChange && <Regrading editor={editor} />}
          {editor.door.mayChange && <Deletion editor={editor} isBusy={trial.isRunning || editor.isSaving} />}
        </TabPanel>
      </Tabs>
      <SaveBar editor={editor} />
    </Page>
  );
}

/** Focuses the trial when it begins, and scrolls to it. Does so again for its result, unless the user has moved on. */
function TrialInView({ trial, tasks }: { trial: TrialRun; tasks: readonly TaskDraft[] }) {
  const panel = useRef<HTMLDivElement>(null);
  const { status } = trial.state;
  useEffect(() => {
    const element = panel.current;
    if (!element || status === 'none') return;
    const isAtTab = document.activeElement?.matches('[role=tab]') === true;
    if (status === 'running' && !isAtTab) element.focus({ preventScroll: true });
    const { activeElement } = document;
    if (activeElement === document.body || element.contains(activeElement)) element.scrollIntoView({ block: 'start' });
  }, [status]);
  return (
    <div ref={panel} tabIndex={-1} className="scroll-my-4 rounded-lg">
      <TrialPanel trial={trial} tasks={tasks} />
    </div>
  );
}

type Tab = 'tasks' | 'texts' | 'machine' | 'settings';

/** The tabs with a field that has to be corrected. */
function tabsWithProblems({ formState: { errors } }: AssessmentEditor['form']): Set<string> {
  const ofSettings = Object.keys(errors.settings ?? {}).map((name): Tab => {
    if (name === 'passing_score') return 'tasks';
    if (['title', 'description', 'introduction', 'conclusion'].includes(name)) return 'texts';
    return ['container_image', 'user', 'setup_script'].includes(name) ? 'machine' : 'settings';
  });
  return new Set(errors.tasks ? ['tasks', ...ofSettings] : ofSettings);
}

/** Moves the focus to the first field that has to be corrected, in the shown tab or in the first that has one. */
function useFirstProblemInView({ form, refusals }: AssessmentEditor, shown: string, open: (tab: Tab) => void): void {
  const isAwaited = useRef(false);
  const problems = tabsWithProblems(form);
  // biome-ignore lint/correctness/useExhaustiveDependencies: only a refusal opens another tab
  useEffect(() => {
    if (refusals === 0) return;
    isAwaited.current = true;
    const [first] = problems;
    if (first !== undefined && !problems.has(shown)) open(first as Tab);
  }, [refusals]);
  // biome-ignore lint/correctness/useExhaustiveDependencies: only a refusal, and the tab that it opens, move the focus
  useEffect(() => {
    if (!isAwaited.current || !problems.has(shown)) return;
    isAwaited.current = false;
    // In the next frame the task with the problem is shown.
    const frame = requestAnimationFrame(() => document.querySelector<HTMLElement>('main [aria-invalid=true]')?.focus());
    return () => cancelAnimationFrame(frame);
  }, [refusals, shown]);
}

/** The list shows where it is. */
function Above({ kind, id }: { kind: Kind; id: number }) {
  const t = useStrings();
  const door = useDoor();
  // The laboratories of a course stand in its sections.
  if (door.course && kind === 'laboratory') return <DoorCrumbs />;
  return (
    <DoorCrumbs>
      <Crumb to={door.page(listPaths[kind])} params={door.params} onClick={() => showArrival(kind, id)}>
        {t.authoring.kinds[kind].listTitle}
      </Crumb>
    </DoorCrumbs>
  );
}

/** The list of tasks, and the form of the chosen one. */
function TaskSection({
  editor,
  trial,
  chosen,
  onChoose: setChosen,
}: {
  editor: AssessmentEditor;
  trial: TrialRun;
  chosen: string | undefined;
  onChoose: (key: string | undefined) => void;
}) {
  const t = useStrings();
  const { tasks } = editor.draft;
  const { form, refusals } = editor;
  // biome-ignore lint/correctness/useExhaustiveDependencies: only a refusal shows another task
  useEffect(() => {
    const { errors } = form.formState;
    const hasProblem = (_task: unknown, index: number): boolean => errors.tasks?.[index] !== undefined;
    if (refusals > 0 && !tasks.some((task, index) => task.key === chosen && hasProblem(task, index))) {
      setChosen(tasks.find(hasProblem)?.key ?? chosen);
    }
  }, [refusals]);
  // After the chosen task was deleted the first one is shown.
  const index = Math.max(
    0,
    tasks.findIndex(({ key }) => key === chosen),
  );
  const task = tasks[index];
  const add = (template?: TaskTemplate): void => {
    const key = editor.addTask(template);
    setChosen(key);
    showArrival('task', key);
  };
  return (
    <section>
      <h2 className="sr-only">{t.authoring.assessment.tasks}</h2>
      <div className="grid grid-cols-1 items-start gap-4 lg:grid-cols-[18rem_minmax(0,1fr)]">
        <div className="flex flex-col gap-4">
          <TaskList editor={editor} chosen={task?.key} onChoose={setChosen} onAdd={add} />
          <Card>
            <ChangeableFields>
              <PassingScore editor={editor} />
            </ChangeableFields>
          </Card>
        </div>
        {task ? (
          <ChangeableFields>
            <TaskForm key={task.key} {...{ editor, task, index, trial }} onTry={() => trial.tryTask(task.key)} />
          </ChangeableFields>
        ) : (
          <Empty title={t.authoring.task.emptyTitle}>{t.authoring.task.emptyHelp}</Empty>
        )}
      </div>
    </section>
  );
}

/** What is done with an exam or a laboratory as a whole: trial and publication. */
function AssessmentActions({ editor, trial }: { editor: AssessmentEditor; trial: TrialRun }) {
  const t = useStrings();
  const words = t.authoring.assessment;
  const toasts = useToasts();
  const [isAsking, setAsking] = useState(false);
  const { kind, saved, draft } = editor;
  const isBusy = trial.isRunning || editor.isSaving;
  const retire = async (): Promise<void> => {
    await callsOf(editor.door, kind).update(saved.id, { is_active: false });
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
        <Button disabled={isBusy} onClick={() => setAsking(true)}>
          {words.retire}
        </Button>
      ) : (
        <Button look="primary" disabled={isBusy} onClick={publish} title={words.publishHelp}>
          <Send size={16} aria-hidden="true" /> {words.publish}
        </Button>
      )}
      <Confirm
        title={words.retireTitle(saved.title)}
        action={words.retire}
        isOpen={isAsking}
        onOpenChange={setAsking}
        onConfirm={retire}
      >
        <p>{t.authoring.kinds[kind].retireHelp}</p>
      </Confirm>
    </>
  );
}

/** All attempts are graded again, by what is saved. */
function Regrading({ editor: { kind, saved } }: { editor: AssessmentEditor }) {
  const { regrades: words } = useStrings();
  const [isAsking, setAsking] = useState(false);
  const search = kind === 'exam' ? { exam_id: saved.id } : { laboratory_id: saved.id };
  return (
    <Card className="py-0!">
      <ActionRow help={words.regradeAllHelp} aria-haspopup="dialog" onClick={() => setAsking(true)}>
        <RotateCcw size={16} aria-hidden="true" /> {words.regradeAll}
      </ActionRow>
      <p className="pb-4 text-sm">
        <Link to="/teaching/regrades" search={search} className="text-accent underline underline-offset-2">
          {words.ofThis}
        </Link>
      </p>
      <RegradeDialog
        scope={{ of: 'assessment', id: saved.id, kind, assessmentId: saved.id }}
        isOpen={isAsking}
        onOpenChange={setAsking}
      />
    </Card>
  );
}

function Deletion({ editor: { door, kind, saved }, isBusy }: { editor: AssessmentEditor; isBusy: boolean }) {
  const t = useStrings();
  const [isAsking, setAsking] = useState(false);
  return (
    <Card className="py-0!">
      <ActionRow
        help={t.authoring.kinds[kind].deleteHelp}
        disabled={isBusy}
        aria-haspopup="dialog"
        onClick={() => setAsking(true)}
      >
        <Trash2 size={16} aria-hidden="true" className="text-bad" /> {t.authoring.assessment.deleteNamed(saved.title)}
      </ActionRow>
      {isAsking && (
        <DeleteAssessment
          kind={kind}
          assessment={saved}
          onClose={() => setAsking(false)}
          onDone={() =>
            navigate({
              to: door.page(door.course && kind === 'laboratory' ? '/administration/courses' : listPaths[kind]),
              params: door.params,
              ignoreBlocker: true,
            })
          }
        />
      )}
    </Card>
  );
}
