import { Page } from '../ui/page.tsx';

export function ExamsPage() {
  return <Page title="">{null}</Page>;
}
