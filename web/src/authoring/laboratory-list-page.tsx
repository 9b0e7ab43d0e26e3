import { SubjectListPage } from './subject-list-page.tsx';

export const LaboratoryListPage = () => <SubjectListPage kind="laboratory" />;
