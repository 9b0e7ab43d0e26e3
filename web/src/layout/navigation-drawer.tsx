import { Dialog } from 'radix-ui';
import type { User } from '../api/user.ts';
import { useSite } from '../ui/site.ts';
import { Navigation } from './navigation.tsx';

/** The navigation of a narrow window. It slides over the page from the side, and closes with the next page. */
export function NavigationDrawer({
  role,
  isOpen,
  onOpenChange,
}: {
  role: User['role'];
  isOpen: boolean;
  onOpenChange: (isOpen: boolean) => void;
}) {
  const { product } = useSite();
  return (
    <Dialog.Root open={isOpen} onOpenChange={onOpenChange}>
      <Dialog.Portal>
        <Dialog.Overlay className="fixed inset-0 z-40 bg-black/50" />
        <Dialog.Content
          aria-describedby={undefined}
          className="fixed top-0 bottom-0 left-0 z-50 w-72 max-w-[85%] overflow-y-auto border-r bg-surface p-3"
        >
          <Dialog.Title className="px-3 py-3 font-semibold">{product}</Dialog.Title>
          <Navigation role={role} onGo={() => onOpenChange(false)} />
        </Dialog.Content>
      </Dialog.Portal>
    </Dialog.Root>
  );
}
