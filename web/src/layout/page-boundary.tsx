import { Component, type ReactNode } from 'react';
import type { Place } from '../routing/place.ts';
import { PageCrash } from './errors.tsx';

type Props = {
  place: Place;
  /** Called when the error of a page is shown. */
  onFailure: () => void;
  children: ReactNode;
};
type State = { place: Place; caught: { error: unknown } | undefined };

/** Shows the error of a page in its place, until the user goes to another one. */
export class PageBoundary extends Component<Props, State> {
  override state: State = { place: this.props.place, caught: undefined };

  static getDerivedStateFromError(error: unknown): Partial<State> {
    return { caught: { error } };
  }

  static getDerivedStateFromProps({ place }: { place: Place }, state: State): State | null {
    return place === state.place ? null : { place, caught: undefined };
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
