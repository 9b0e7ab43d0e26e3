import { Page } from '../ui/page.tsx';

export function AttemptsPage() {
  return <Page title="">{null}</Page>;
}
