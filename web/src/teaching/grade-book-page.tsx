import { Page } from '../ui/page.tsx';

export function GradeBookPage() {
  return <Page title="">{null}</Page>;
}
