import { Check } from 'lucide-react';
import { DropdownMenu } from 'radix-ui';
import type { ReactNode } from 'react';

const item =
  'flex min-h-9 cursor-pointer items-center gap-2 rounded px-3 text-sm outline-none select-none data-highlighted:bg-accent-soft data-disabled:opacity-50';

/** A menu under a button; `trigger` is the button. */
export const Menu = ({
  trigger,
  isOpenAtFirst = false,
  children,
}: {
  trigger: ReactNode;
  isOpenAtFirst?: boolean;
  children: ReactNode;
}) => (
  <DropdownMenu.Root defaultOpen={isOpenAtFirst}>
    <DropdownMenu.Trigger asChild>{trigger}</DropdownMenu.Trigger>
    <DropdownMenu.Portal>
      <DropdownMenu.Content
        align="end"
        sideOffset={6}
        className="z-50 min-w-52 rounded-lg border bg-raised p-1 shadow-lg"
      >
        {children}
      </DropdownMenu.Content>
    </DropdownMenu.Portal>
  </DropdownMenu.Root>
);

export const MenuItem = ({
  onSelect,
  isDisabled,
  children,
}: {
  onSelect: () => void;
  isDisabled?: boolean;
  children: ReactNode;
}) => (
  <DropdownMenu.Item className={item} onSelect={onSelect} {...(isDisabled ? { disabled: true } : {})}>
    {children}
  </DropdownMenu.Item>
);

export const MenuLabel = ({ children }: { children: ReactNode }) => (
  <DropdownMenu.Label className="px-3 pt-2 pb-1 text-xs text-ink-soft">{children}</DropdownMenu.Label>
);

export const MenuLine = () => <DropdownMenu.Separator className="my-1 h-px bg-line" />;

/** One choice of several. */
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
