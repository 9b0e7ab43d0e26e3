import { getRouteApi } from '@tanstack/react-router';
import { SubjectEditorPage } from './subject-editor-page.tsx';
import { SubjectListPage } from './subject-list-page.tsx';

const exam = getRouteApi('/user/admin/administration/exams/$subjectId');
const laboratory = getRouteApi('/user/admin/administration/laboratories/$subjectId');

export const ExamListPage = () => <SubjectListPage kind="exam" />;
export const ExamEditorPage = () => <SubjectEditorPage kind="exam" id={Number(exam.useParams().subjectId)} />;
export const LaboratoryListPage = () => <SubjectListPage kind="laboratory" />;
export const LaboratoryEditorPage = () => (
  <SubjectEditorPage kind="laboratory" id={Number(laboratory.useParams().subjectId)} />
);
