import { useAddress, useParams } from '../routing/place-context.ts';
import { SubjectEditorPage } from './subject-editor-page.tsx';
import { SubjectListPage } from './subject-list-page.tsx';

export const ExamListPage = () => <SubjectListPage kind="exam" {...useAddress('/administration/exams')} />;
export const ExamEditorPage = () => (
  <SubjectEditorPage kind="exam" id={Number(useParams('/administration/exams/$subjectId').subjectId)} />
);
export const LaboratoryListPage = () => (
  <SubjectListPage kind="laboratory" {...useAddress('/administration/laboratories')} />
);
export const LaboratoryEditorPage = () => (
  <SubjectEditorPage kind="laboratory" id={Number(useParams('/administration/laboratories/$subjectId').subjectId)} />
);
