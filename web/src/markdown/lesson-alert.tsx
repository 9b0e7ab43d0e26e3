import { Info, Lightbulb, MessageSquareWarning, OctagonAlert, TriangleAlert } from 'lucide-react';
import type { ReactNode } from 'react';
import { useStrings } from '../strings/use-strings.tsx';
import type { AlertKind } from './parsing/alert-kinds.ts';

const icons = {
  note: Info,
  tip: Lightbulb,
  important: MessageSquareWarning,
  warning: TriangleAlert,
  caution: OctagonAlert,
};

/** An admonition. Without a title of its own it has the name of its kind. */
export function LessonAlert({
  kind,
  hasTitle = false,
  children,
}: {
  kind: AlertKind;
  hasTitle: boolean | undefined;
  children: ReactNode;
}) {
  const t = useStrings();
  const Icon = icons[kind];
  return (
    <div role="note" className="alert" data-kind={kind}>
      <Icon size={18} aria-hidden="true" className="alert-icon" />
      {!hasTitle && <p data-alert-title="true">{t.lessons.alerts[kind]}</p>}
      {children}
    </div>
  );
}
