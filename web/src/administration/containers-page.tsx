import { Page } from '../ui/page.tsx';

export function ContainersPage() {
  return <Page title="">{null}</Page>;
}
