import { Page } from '../ui/page.tsx';

export function ExamResultsPage() {
  return <Page title="">{null}</Page>;
}
