import {
  Accessibility,
  Download,
  EllipsisVertical,
  Keyboard,
  type LucideIcon,
  Maximize2,
  Minimize2,
  Minus,
  Pencil,
  Plus,
  RefreshCw,
  Search,
  SquarePlus,
  SquareTerminal,
  Upload,
} from 'lucide-react';
import type { ReactNode, Ref } from 'react';
import { useStrings } from '../strings/use-strings.tsx';
import { Button, IconButton } from '../ui/button.tsx';
import { Menu, MenuChoice, MenuItem, MenuLabel, MenuLine } from '../ui/menu.tsx';
import { ActionButton, type BarAction } from './bar-action.tsx';
import type { TerminalState } from './connection.ts';
import { type PasteChoice, pasteChoices } from './pastes.ts';
import type { ShellHandle } from './shell.tsx';
import { TerminalStatus } from './terminal-status.tsx';
import { fontSizes, type TextAppearance, TextControls, typefaces } from './text-controls.tsx';
import type { ShownState } from './use-terminal-state.ts';

/** What the menu does with the shells of the user's own machine. */
export type ShellActions = {
  open: (isPlain: boolean) => void;
  rename: () => void;
  paste: PasteChoice;
  choosePaste: (choice: PasteChoice) => void;
};

/** States in which the user can retry. */
const canConnect: readonly TerminalState[] = ['ended', 'notRunning', 'notFound', 'tooMany', 'takenOver', 'unreachable'];

type ToolProps = {
  actions: readonly BarAction[];
  status: ShownState;
  isFull: boolean;
  appearance: TextAppearance;
  /** Undefined where another user's shell is watched. */
  shells: ShellActions | undefined;
  /** What acts on the shown shell. */
  onShell: (act: (shell: ShellHandle) => void) => void;
  onFull: () => void;
};

/** What has a button in a wide bar, and only an item of the menu in a narrow one. */
const folding = '@max-xl:hidden';

/** The one bar above a terminal: whose machine it is, its state, its shells, the clock, and the buttons. */
export function TerminalBar({
  lead,
  tabs,
  hasTabs,
  clock,
  tools,
  ...rest
}: ToolProps & {
  /** What the page says about the machine, such as its name. */
  lead: ReactNode;
  /** The shells to choose from. */
  tabs: ReactNode;
  /** There are several. */
  hasTabs: boolean;
  /** What the page has above the terminal, such as a clock, while the terminal covers it. */
  clock: ReactNode;
  /** The element with the buttons, which the terminal is left for. */
  tools: Ref<HTMLDivElement>;
}) {
  const { terminal: words } = useStrings();
  return (
    <div className="flex min-h-11 shrink-0 items-center gap-2 border-b bg-surface px-2 text-sm">
      {lead}
      <TerminalStatus {...rest.status} isShort={hasTabs} />
      {tabs}
      <div className="ml-auto flex shrink-0 items-center gap-2">
        {clock}
        <div ref={tools} className="flex items-center">
          <Tools {...rest} />
        </div>
      </div>
      <span className="sr-only">{words.leave}</span>
    </div>
  );
}

function Tools(props: ToolProps) {
  const { terminal: words, common } = useStrings();
  const { actions, status, isFull, appearance, onShell, onFull } = props;
  const { state, lateKeys } = status;
  const isLost = canConnect.includes(state);
  return (
    <>
      {isLost && (
        <Button
          size="small"
          look="primary"
          onClick={() => onShell((shell) => shell.connect({ isNew: state === 'ended' || state === 'notFound' }))}
        >
          {state === 'takenOver' ? words.takeBack : state === 'ended' ? words.openNew : common.retry}
        </Button>
      )}
      {(lateKeys > 0 || state === 'reconnecting') && !isLost && (
        <Button size="small" onClick={() => onShell((shell) => shell.reconnect())}>
          <RefreshCw size={16} aria-hidden="true" /> <span className="@max-3xl:sr-only">{words.reconnect}</span>
        </Button>
      )}
      <IconButton className={folding} label={words.find} onClick={() => onShell((shell) => shell.find())}>
        <Search size={16} aria-hidden="true" />
      </IconButton>
      <TextControls appearance={appearance} />
      <IconButton className={folding} label={isFull ? words.leaveFullScreen : words.fullScreen} onClick={onFull}>
        {isFull ? <Minimize2 size={16} aria-hidden="true" /> : <Maximize2 size={16} aria-hidden="true" />}
      </IconButton>
      {actions.map((action) => (
        <ActionButton key={action.label} action={action} className={action.isAlways ? '' : folding} />
      ))}
      <MoreMenu {...props} />
    </>
  );
}

/** All that the bar can do, with what is needed less often: files, and settings that the browser remembers for all machines. */
function MoreMenu({ actions, isFull, appearance, shells, onShell, onFull }: ToolProps) {
  const { terminal: words } = useStrings();
  const { font } = appearance;
  return (
    <Menu
      trigger={
        <IconButton label={words.more}>
          <EllipsisVertical size={16} aria-hidden="true" />
        </IconButton>
      }
    >
      <Item icon={Search} text={words.find} run={() => onShell((shell) => shell.find())} />
      <Item
        icon={isFull ? Minimize2 : Maximize2}
        text={isFull ? words.leaveFullScreen : words.fullScreen}
        run={onFull}
      />
      {actions.map(({ label, icon, run }) => (
        <Item key={label} icon={icon} text={label} run={run} />
      ))}
      {shells && (
        <>
          <MenuLine />
          <Item icon={SquarePlus} text={words.tabs.openWithKeys} run={() => shells.open(false)} />
          <Item icon={SquareTerminal} text={words.tabs.openPlain} run={() => shells.open(true)} />
          <Item icon={Pencil} text={words.tabs.rename} run={shells.rename} />
          <MenuLine />
          <Item icon={Upload} text={words.files.upload} run={() => onShell((shell) => shell.ask('upload'))} />
          <Item icon={Download} text={words.files.download} run={() => onShell((shell) => shell.ask('download'))} />
          <Item icon={Keyboard} text={words.shortcuts.title} run={() => onShell((shell) => shell.ask('keys'))} />
          <MenuLine />
          <MenuLabel>{words.paste.setting}</MenuLabel>
          <MenuChoice
            value={shells.paste}
            options={pasteChoices.map((value) => ({ value, label: words.paste.choices[value] }))}
            onChange={shells.choosePaste}
          />
        </>
      )}
      <MenuLine />
      <Item icon={Minus} text={words.fontSmaller} isDisabled={font === 0} run={() => appearance.choose(font - 1)} />
      <Item
        icon={Plus}
        text={words.fontLarger}
        isDisabled={font === fontSizes.length - 1}
        run={() => appearance.choose(font + 1)}
      />
      <Item icon={Accessibility} text={words.screenReader} run={appearance.toggleScreenReader} />
      <MenuLabel>{words.typeface}</MenuLabel>
      <MenuChoice
        value={appearance.typeface}
        options={typefaces.map((value) => ({ value, label: words.typefaces[value] }))}
        onChange={appearance.chooseTypeface}
      />
    </Menu>
  );
}

function Item({
  icon: Icon,
  text,
  isDisabled = false,
  run,
}: {
  icon: LucideIcon;
  text: string;
  isDisabled?: boolean;
  run: () => void;
}) {
  return (
    <MenuItem onSelect={run} isDisabled={isDisabled}>
      <Icon size={16} aria-hidden="true" /> {text}
    </MenuItem>
  );
}
