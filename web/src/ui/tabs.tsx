import { createLink } from '@tanstack/react-router';
import { Tabs as Radix } from 'radix-ui';
import type { ComponentProps, KeyboardEvent, ReactNode } from 'react';

/**
 * The parts of a long page. Each has an address of its own, so that it can be shared and the back button leads to the part before. The
 * arrow keys move between the tabs, and Enter opens one: it may have to load.
 * @param titles by the names in the address; the first tab has no name there
 * @param shown the name in the address; one that the page does not have shows the first tab
 */
export function Tabs<Name extends string>({
  label,
  titles,
  shown,
  children,
}: {
  label: string;
  titles: Partial<Record<Name, string>>;
  shown: Name | undefined;
  /** A `TabPanel` for each tab. */
  children: ReactNode;
}) {
  const names = Object.keys(titles) as Name[];
  const value = names.find((name) => name === shown) ?? names[0];
  return (
    <Radix.Root value={value ?? ''} activationMode="manual" className="flex flex-col gap-6">
      <Radix.List aria-label={label} className="flex flex-wrap gap-x-1 border-b">
        {names.map((name, index) => (
          <Radix.Trigger key={name} value={name} asChild onKeyDown={openBySpace}>
            <TabLink to="." search={(index === 0 ? {} : { tab: name }) as never} resetScroll={false}>
              {titles[name]}
            </TabLink>
          </Radix.Trigger>
        ))}
      </Radix.List>
      {children}
    </Radix.Root>
  );
}

/** What a tab shows. Its content exists only while it is shown, unless `isKept`: then its fields keep what the user has typed. */
export const TabPanel = ({ name, isKept, children }: { name: string; isKept?: boolean; children: ReactNode }) => (
  <Radix.Content
    value={name}
    {...(isKept ? { forceMount: true } : {})}
    className="flex flex-col gap-6 data-[state=inactive]:hidden"
  >
    {children}
  </Radix.Content>
);

/** A tab is a link, so that it can be opened in another window. A space opens it as well, as it does other tabs. */
function openBySpace(event: KeyboardEvent<HTMLElement>): void {
  if (event.key !== ' ') return;
  event.preventDefault();
  event.currentTarget.click();
}

const TabLink = createLink(TabAnchor);

/** `type` is that of a button, and `aria-selected` says already what is current. */
function TabAnchor({ type: _type, 'aria-current': _current, ...link }: ComponentProps<'a'>) {
  return (
    <a
      {...link}
      className="-mb-px inline-flex min-h-10 items-center border-b-2 border-transparent px-3 text-sm text-ink-soft hover:text-ink data-[state=active]:border-accent data-[state=active]:font-medium data-[state=active]:text-ink"
    />
  );
}
