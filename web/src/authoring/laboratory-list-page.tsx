import { Page } from '../ui/page.tsx';

export function LaboratoryListPage() {
  return <Page title="">{null}</Page>;
}
