import { getRouteApi } from '@tanstack/react-router';
import { useAddress } from '../ui/use-address.ts';
import { SubjectEditorPage } from './subject-editor-page.tsx';
import { SubjectListPage } from './subject-list-page.tsx';

const exams = getRouteApi('/user/admin/administration/exams');
const laboratories = getRouteApi('/user/admin/administration/laboratories');
const exam = getRouteApi('/user/admin/administration/exams/$subjectId');
const laboratory = getRouteApi('/user/admin/administration/laboratories/$subjectId');

export const ExamListPage = () => <SubjectListPage kind="exam" {...useAddress(exams)} />;
export const ExamEditorPage = () => <SubjectEditorPage kind="exam" id={Number(exam.useParams().subjectId)} />;
export const LaboratoryListPage = () => <SubjectListPage kind="laboratory" {...useAddress(laboratories)} />;
export const LaboratoryEditorPage = () => (
  <SubjectEditorPage kind="laboratory" id={Number(laboratory.useParams().subjectId)} />
);
