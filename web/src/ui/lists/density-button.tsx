import { Rows4 } from 'lucide-react';
import { useStrings } from '../../strings/use-strings.tsx';
import { IconButton } from '../button.tsx';
import { useDensity } from './density.ts';

/** Brings the rows of tables closer together, and apart again. */
export function DensityButton() {
  const t = useStrings();
  const [density, change] = useDensity();
  const isCompact = density === 'compact';
  return (
    <IconButton
      label={t.profile.density.action}
      size="normal"
      aria-pressed={isCompact}
      className={isCompact ? 'bg-sunken text-ink!' : undefined}
      onClick={() => change(isCompact ? 'comfortable' : 'compact')}
    >
      <Rows4 size={18} aria-hidden="true" />
    </IconButton>
  );
}
