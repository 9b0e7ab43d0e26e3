import { Page } from '../ui/page.tsx';

export function LivePage() {
  return <Page title="">{null}</Page>;
}
