import { Page } from '../ui/page.tsx';

export function UsersPage() {
  return <Page title="">{null}</Page>;
}
