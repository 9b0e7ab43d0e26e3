import { Page } from '../ui/page.tsx';

export function ExamPage() {
  return <Page title="">{null}</Page>;
}
