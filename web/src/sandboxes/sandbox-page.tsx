import { Page } from '../ui/page.tsx';

export function SandboxPage() {
  return <Page title="">{null}</Page>;
}
