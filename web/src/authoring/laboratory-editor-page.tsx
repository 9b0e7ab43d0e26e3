import { getRouteApi } from '@tanstack/react-router';
import { SubjectEditorPage } from './subject-editor-page.tsx';

const route = getRouteApi('/user/admin/administration/laboratories/$laboratoryId');

export const LaboratoryEditorPage = () => (
  <SubjectEditorPage kind="laboratory" id={Number(route.useParams().laboratoryId)} />
);
