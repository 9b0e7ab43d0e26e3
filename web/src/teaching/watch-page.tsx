import { Page } from '../ui/page.tsx';

export function WatchPage() {
  return <Page title="">{null}</Page>;
}
