import { Page } from '../ui/page.tsx';

export function LaboratoryResultsPage() {
  return <Page title="">{null}</Page>;
}
