import { Page } from '../ui/page.tsx';

export function ActivityPage() {
  return <Page title="">{null}</Page>;
}
