import { Page } from '../ui/page.tsx';

export function LaboratoryEditorPage() {
  return <Page title="">{null}</Page>;
}
