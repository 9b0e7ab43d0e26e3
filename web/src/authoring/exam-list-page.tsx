import { Page } from '../ui/page.tsx';

export function ExamListPage() {
  return <Page title="">{null}</Page>;
}
