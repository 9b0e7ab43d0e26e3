import { Page } from '../ui/page.tsx';

export function CourseEditorPage() {
  return <Page title="">{null}</Page>;
}
