import { Page } from '../ui/page.tsx';

export function AttemptPage() {
  return <Page title="">{null}</Page>;
}
