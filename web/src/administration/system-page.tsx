import { Page } from '../ui/page.tsx';

export function SystemPage() {
  return <Page title="">{null}</Page>;
}
