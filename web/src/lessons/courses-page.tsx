import { Page } from '../ui/page.tsx';

export function CoursesPage() {
  return <Page title="">{null}</Page>;
}
