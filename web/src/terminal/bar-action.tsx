import type { LucideIcon } from 'lucide-react';
import { IconButton } from '../ui/button.tsx';

/** What the page of a terminal adds to its bar: a button, or an item of the menu where the bar is narrow and it is not always shown. */
export type BarAction = { label: string; icon: LucideIcon; run: () => void; isAlways?: boolean };

/** The button of an action, which asks a question first. */
export const ActionButton = ({ action, ...rest }: { action: BarAction; className?: string }) => (
  <IconButton label={action.label} aria-haspopup="dialog" onClick={action.run} {...rest}>
    <action.icon size={16} aria-hidden="true" />
  </IconButton>
);
