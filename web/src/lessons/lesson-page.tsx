import { Page } from '../ui/page.tsx';

export function LessonPage() {
  return <Page title="">{null}</Page>;
}
