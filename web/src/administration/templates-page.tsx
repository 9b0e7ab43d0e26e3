import { Page } from '../ui/page.tsx';

export function TemplatesPage() {
  return <Page title="">{null}</Page>;
}
