import { Page } from '../ui/page.tsx';

export function ExamEditorPage() {
  return <Page title="">{null}</Page>;
}
