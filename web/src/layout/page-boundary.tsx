import { Component, type ReactNode } from 'react';
import type { Location } from '../routing/location.ts';
import { PageCrash } from './errors.tsx';

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
