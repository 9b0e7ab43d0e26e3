import type { LucideIcon } from 'lucide-react';
import type { ReactNode } from 'react';

/** Something to do next, with its action. */
export function Step({
  icon: Icon,
  label,
  title,
  isUrgent = false,
  action,
  children,
}: {
  icon: LucideIcon;
  label: string;
  title: string;
  isUrgent?: boolean;
  action: ReactNode;
  children?: ReactNode;
}) {
  return (
    <div className={`flex flex-wrap items-center gap-4 p-4 sm:p-5 ${isUrgent ? 'rounded-lg bg-warn-soft' : 'panel'}`}>
      <Icon size={28} aria-hidden="true" className={`shrink-0 ${isUrgent ? 'text-warn' : 'text-accent'}`} />
      <div className="min-w-0 flex-1 basis-60">
        <p className={`text-sm ${isUrgent ? 'text-ink' : 'text-ink-soft'}`}>{label}</p>
        <h3 className="font-semibold">{title}</h3>
        {children && <div className={`mt-1 text-sm ${isUrgent ? 'text-ink' : 'text-ink-soft'}`}>{children}</div>}
      </div>
      {action}
    </div>
  );
}
