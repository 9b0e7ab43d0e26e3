import { Check } from 'lucide-react';
import { DropdownMenu } from 'radix-ui';
import { createContext, type ReactNode, type RefObject, useContext, useRef } from 'react';

const item =
  'flex min-h-9 cursor-pointer items-center gap-2 rounded px-3 text-sm outline-none select-none data-highlighted:bg-accent-soft data-disabled:opacity-50';

/** The chosen action, run once the menu has closed. A dialog that it opens can then return the focus to the menu's button. */
const ChosenContext = createContext<RefObject<(() => void) | undefined> | undefined>(undefined);

/** A menu below a button. `trigger` is the button. */
export function Menu({
  trigger,
  isOpenAtFirst = false,
  children,
}: {
  trigger: ReactNode;
  isOpenAtFirst?: boolean;
  children: ReactNode;
}) {
  const chosen = useRef<() => void>(undefined);
  const doChosen = (): void => {
    const action = chosen.current;
    chosen.current = undefined;
    // Runs after the focus has returned to the button, which happens after this event.
    if (action) setTimeout(action);
  };
  return (
    <ChosenContext value={chosen}>
      {/* A modal menu would hide the page from screen readers while its focusable parts stay in it (axe: aria-hidden-focus). */}
      <DropdownMenu.Root modal={false} defaultOpen={isOpenAtFirst}>
        <DropdownMenu.Trigger asChild>{trigger}</DropdownMenu.Trigger>
        <DropdownMenu.Portal>
          <DropdownMenu.Content
            align="end"
            sideOffset={6}
            onCloseAutoFocus={doChosen}
            className="z-50 max-h-(--radix-dropdown-menu-content-available-height) min-w-52 overflow-y-auto rounded-lg border bg-raised p-1 shadow-lg"
          >
            {children}
          </DropdownMenu.Content>
        </DropdownMenu.Portal>
      </DropdownMenu.Root>
    </ChosenContext>
  );
}

export function MenuItem({
  onSelect,
  isDisabled,
  children,
}: {
  onSelect: () => void;
  isDisabled?: boolean;
  children: ReactNode;
}) {
  const chosen = useContext(ChosenContext);
  const choose = (): void => {
    if (chosen) chosen.current = onSelect;
  };
  return (
    <DropdownMenu.Item className={item} onSelect={choose} {...(isDisabled ? { disabled: true } : {})}>
      {children}
    </DropdownMenu.Item>
  );
}

export const MenuLabel = ({ children }: { children: ReactNode }) => (
  <DropdownMenu.Label className="px-3 pt-2 pb-1 text-xs text-ink-soft">{children}</DropdownMenu.Label>
);

export const MenuLine = () => <DropdownMenu.Separator className="my-1 h-px bg-line" />;

/** One option of several. */
export function MenuChoice<Value extends string>({
  value,
  options,
  onChange,
}: {
  value: Value;
  options: readonly { value: Value; label: string }[];
  onChange: (value: Value) => void;
}) {
  return (
    <DropdownMenu.RadioGroup value={value} onValueChange={(next) => onChange(next as Value)}>
      {options.map((option) => (
        <DropdownMenu.RadioItem key={option.value} value={option.value} className={item}>
          <span className="w-4">
            <DropdownMenu.ItemIndicator>
              <Check size={16} aria-hidden="true" />
            </DropdownMenu.ItemIndicator>
          </span>
          {option.label}
        </DropdownMenu.RadioItem>
      ))}
    </DropdownMenu.RadioGroup>
  );
}
