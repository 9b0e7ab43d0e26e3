import { SubjectListPage } from './subject-list-page.tsx';

export const ExamListPage = () => <SubjectListPage kind="exam" />;
