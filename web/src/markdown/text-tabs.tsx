import { Tabs } from 'radix-ui';
import { Children, type ReactNode } from 'react';

const tab =
  'min-h-10 border-b-2 border-transparent px-3 text-sm text-ink-soft data-[state=active]:border-accent data-[state=active]:font-medium data-[state=active]:text-ink focus-visible:-outline-offset-2';

/** The tabs of a text, such as the commands of several systems. A print has all of them. */
export function TextTabs({ titles, children }: { titles: string[]; children: ReactNode }) {
  const panels = Children.toArray(children);
  return (
    <Tabs.Root defaultValue="0" className="my-4 rounded-lg border bg-surface">
      <Tabs.List className="flex flex-wrap border-b px-2">
        {titles.map((title, index) => (
          // biome-ignore lint/suspicious/noArrayIndexKey: tabs never move
          <Tabs.Trigger key={index} value={String(index)} className={tab}>
            {title}
          </Tabs.Trigger>
        ))}
      </Tabs.List>
      {panels.map((panel, index) => (
        <Tabs.Content
          // biome-ignore lint/suspicious/noArrayIndexKey: tabs never move
          key={index}
          value={String(index)}
          forceMount
          className="px-4 py-1 data-[state=inactive]:hidden print:block!"
        >
          {panel}
        </Tabs.Content>
      ))}
    </Tabs.Root>
  );
}
