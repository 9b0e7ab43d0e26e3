import { getRouteApi } from '@tanstack/react-router';
import { SubjectEditorPage } from './subject-editor-page.tsx';

const route = getRouteApi('/user/admin/administration/exams/$examId');

export const ExamEditorPage = () => <SubjectEditorPage kind="exam" id={Number(route.useParams().examId)} />;
