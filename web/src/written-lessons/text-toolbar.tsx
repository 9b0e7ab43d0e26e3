import {
  Bold,
  Code,
  Heading2,
  Heading3,
  ImagePlus,
  Link2,
  type LucideIcon,
  MessageSquareWarning,
  SquareTerminal,
} from 'lucide-react';
import { Toolbar } from 'radix-ui';
import { type ComponentProps, type KeyboardEvent, type RefObject, useRef, useState } from 'react';
import { useStrings } from '../strings/use-strings.tsx';
import { IconButton } from '../ui/button.tsx';
import { Dialog } from '../ui/dialog.tsx';
import { Menu, MenuItem } from '../ui/menu.tsx';
import { LessonPicker, type PickedLesson } from './lesson-picker.tsx';
import {
  block,
  callout,
  code,
  type Edit,
  heading,
  lessonLink,
  makeEdit,
  type Selected,
  wrap,
} from './markdown-edits.ts';

const callouts = ['note', 'tip', 'important', 'warning', 'caution'] as const;

/** What the keys do, by the code of the key: Ctrl+Shift with a digit, in the order of the buttons. */
const digits = {
  Digit2: 'heading',
  Digit3: 'subheading',
  Digit4: 'callout',
  Digit5: 'runs',
  Digit6: 'link',
  Digit7: 'picture',
} as const;
const letters = { b: 'bold', e: 'code' } as const;
type Action = (typeof digits)[keyof typeof digits] | (typeof letters)[keyof typeof letters];

const edits: Partial<Record<Action, (area: Selected) => Edit>> = {
  heading: (area) => heading(area, 2),
  subheading: (area) => heading(area, 3),
  bold: (area) => wrap(area, '**'),
  code,
  callout: (area) => callout(area, 'note'),
  runs: (area) => block(area, 'bash'),
};

/** The buttons above a text in Markdown, and their keys. They work on the selection, and each is one step of the browser's undo. */
export function useTextToolbar(
  area: RefObject<HTMLTextAreaElement | null>,
  onPicture: () => void,
  isUploading: boolean,
) {
  const t = useStrings();
  const words = t.written.toolbar;
  const [isLinking, setLinking] = useState(false);
  const picked = useRef<PickedLesson>(undefined);
  const make = (editOf: (area: Selected) => Edit): void => {
    if (area.current) makeEdit(area.current, editOf(area.current));
  };
  const link = (): void => {
    const lesson = picked.current;
    picked.current = undefined;
    if (lesson) make((selected) => lessonLink(selected, lesson.title, lesson.path));
  };
  const act = (action: Action): void => {
    const edit = edits[action];
    if (edit) make(edit);
    else if (action === 'link') setLinking(true);
    else onPicture();
  };
  const onKeyDown = (event: KeyboardEvent): void => {
    const action = actionOf(event);
    if (!action) return;
    event.preventDefault();
    act(action);
  };
  const button = (action: Action, icon: LucideIcon, keys: string) => (
    <Tool label={words[action]} icon={icon} keys={keys} onClick={() => act(action)} />
  );
  const bar = (
    <>
      <Toolbar.Root aria-label={words.label} className="flex flex-wrap gap-1 rounded-md border bg-surface p-1">
        {button('heading', Heading2, 'Control+Shift+2')}
        {button('subheading', Heading3, 'Control+Shift+3')}
        {button('bold', Bold, 'Control+B')}
        {button('code', Code, 'Control+E')}
        <Menu trigger={<Tool label={words.callout} icon={MessageSquareWarning} keys="Control+Shift+4" />}>
          {callouts.map((kind) => (
            <MenuItem key={kind} onSelect={() => make((selected) => callout(selected, kind))}>
              {t.markdown.alerts[kind]}
            </MenuItem>
          ))}
        </Menu>
        {button('runs', SquareTerminal, 'Control+Shift+5')}
        {button('link', Link2, 'Control+Shift+6')}
        <Tool label={words.picture} icon={ImagePlus} keys="Control+Shift+7" isBusy={isUploading} onClick={onPicture} />
      </Toolbar.Root>
      <Dialog title={words.link} isOpen={isLinking} onOpenChange={setLinking} onClosed={link}>
        <LessonPicker
          onChoose={(lesson) => {
            picked.current = lesson;
            setLinking(false);
          }}
        />
      </Dialog>
    </>
  );
  return { bar, onKeyDown };
}

function actionOf({ ctrlKey, metaKey, shiftKey, altKey, code: key, key: letter }: KeyboardEvent): Action | undefined {
  if (altKey) return undefined;
  // With the Command key, these digits take pictures of the screen.
  if (ctrlKey && shiftKey) return digits[key as keyof typeof digits];
  return (ctrlKey || metaKey) && !shiftKey ? letters[letter as keyof typeof letters] : undefined;
}

function Tool({
  icon: Icon,
  keys,
  label,
  ...rest
}: { icon: LucideIcon; keys: string } & Omit<ComponentProps<typeof IconButton>, 'children'>) {
  return (
    <Toolbar.Button asChild>
      <IconButton
        {...rest}
        label={label}
        title={`${label} (${keys.replace('Control', 'Ctrl')})`}
        aria-keyshortcuts={keys}
      >
        <Icon size={18} aria-hidden="true" />
      </IconButton>
    </Toolbar.Button>
  );
}
