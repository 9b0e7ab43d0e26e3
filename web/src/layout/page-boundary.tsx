import { Component, type ReactNode } from 'react';
import { Problem } from '../api/problem.ts';
import type { Location } from '../routing/location.ts';
import { useStrings } from '../strings/use-strings.tsx';
import { Page } from '../ui/page.tsx';
import { ProblemNote } from '../ui/problem-note.tsx';

type Props = {
  location: Location;
  /** Called when the error of a page is shown. */
  onFailure: () => void;
  children: ReactNode;
};
type State = { location: Location; caught: { error: unknown } | undefined };

/** Shows the error of a page in its location, until the user goes to another one. */
export class PageBoundary extends Component<Props, State> {
  override state: State = { location: this.props.location, caught: undefined };

  static getDerivedStateFromError(error: unknown): Partial<State> {
    return { caught: { error } };
  }

  static getDerivedStateFromProps({ location }: { location: Location }, state: State): State | null {
    return location === state.location ? null : { location, caught: undefined };
  }

  override componentDidCatch(): void {
    this.props.onFailure();
  }

  override render(): ReactNode {
    const { caught } = this.state;
    if (!caught) return this.props.children;
    return <PageCrash error={caught.error} reset={() => this.setState({ caught: undefined })} />;
  }
}

/** Replaces a page that threw during rendering. The navigation around it continues to work. */
function PageCrash({ error, reset }: { error: unknown; reset: () => void }) {
  const t = useStrings();
  // A problem that no part of the page has shown: the page itself could not be loaded. Not every browser loads a script again.
  const isLoaded = !(error instanceof Problem);
  return (
    <Page title={t.common.problems.title}>
      <ProblemNote error={error} retry={isLoaded ? reset : () => location.reload()} />
      {isLoaded && <pre className="overflow-x-auto rounded-md bg-sunken p-4 font-mono text-xs">{String(error)}</pre>}
    </Page>
  );
}
