import { Page } from '../ui/page.tsx';

export function LaboratoryPage() {
  return <Page title="">{null}</Page>;
}
