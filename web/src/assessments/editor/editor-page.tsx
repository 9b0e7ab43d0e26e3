import { useQuery } from '@tanstack/react-query';
import { useEffect, useRef } from 'react';
import type { Kind } from '../../api/kinds.ts';
import { useParams } from '../../routing/location-context.ts';
import { useStrings } from '../../strings/use-strings.tsx';
import { Crumb, Crumbs } from '../../ui/crumbs.tsx';
import { DraftNote } from '../../ui/forms/draft-note.tsx';
import { showArrival } from '../../ui/lists/arrivals.ts';
import { Page } from '../../ui/page.tsx';
import { Fetched } from '../../ui/states.tsx';
import { AssessmentActions } from './assessment-actions.tsx';
import type { Assessment } from './assessment-calls.ts';
import { FilesCard } from './files-card.tsx';
import { StatusBadge } from './list-page.tsx';
import { assessmentQuery } from './queries.ts';
import { RunningStates } from './running-states.tsx';
import { SaveBar } from './save-bar.tsx';
import { SettingsCard } from './settings-card.tsx';
import { TaskSection } from './task-section.tsx';
import { TrialPanel } from './trial-panel.tsx';
import { type AssessmentEditor, useAssessmentEditor } from './use-editor.ts';
import { type TrialRun, useTrial } from './use-trial.ts';

export const ExamEditorPage = () => (
  <AssessmentEditorPage kind="exam" id={Number(useParams('/administration/exams/$assessmentId').assessmentId)} />
);
export const LaboratoryEditorPage = () => (
  <AssessmentEditorPage
    kind="laboratory"
    id={Number(useParams('/administration/laboratories/$assessmentId').assessmentId)}
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
