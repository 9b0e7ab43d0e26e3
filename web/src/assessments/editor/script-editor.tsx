import { defaultKeymap, history, historyKeymap, indentWithTab } from '@codemirror/commands';
import { HighlightStyle, indentOnInput, indentUnit, StreamLanguage, syntaxHighlighting } from '@codemirror/language';
import { shell } from '@codemirror/legacy-modes/mode/shell';
import { EditorState, type Extension } from '@codemirror/state';
import { drawSelection, EditorView, highlightActiveLine, keymap, lineNumbers } from '@codemirror/view';
import { tags } from '@lezer/highlight';
import { useEffect, useRef } from 'react';

const colours = HighlightStyle.define([
  { tag: [tags.keyword, tags.operatorKeyword], color: 'var(--accent)', fontWeight: '600' },
  { tag: [tags.string, tags.special(tags.string)], color: 'var(--good)' },
  { tag: [tags.comment, tags.meta], color: 'var(--ink-soft)', fontStyle: 'italic' },
  { tag: [tags.number, tags.attributeName], color: 'var(--warn)' },
  { tag: [tags.definition(tags.variableName), tags.variableName], color: 'var(--info)' },
  { tag: tags.standard(tags.variableName), color: 'var(--accent)' },
]);

/** Uses the colours of the page, so that it follows the page's theme. */
const look = EditorView.theme({
  '&': { backgroundColor: 'var(--surface)', color: 'var(--ink)', fontSize: '0.85rem' },
  '&.cm-focused': { outline: '2px solid var(--accent)', outlineOffset: '1px' },
  '.cm-scroller': { fontFamily: 'inherit', lineHeight: '1.55', maxHeight: '28rem' },
  '.cm-content, .cm-gutter': { minHeight: '9rem' },
  '.cm-content': { caretColor: 'var(--ink)' },
  '.cm-cursor': { borderLeftColor: 'var(--ink)' },
  '.cm-gutters': { backgroundColor: 'var(--sunken)', color: 'var(--ink-soft)', border: 'none' },
  '.cm-activeLine': { backgroundColor: 'color-mix(in srgb, var(--accent-soft) 35%, transparent)' },
  '.cm-activeLineGutter': { backgroundColor: 'var(--accent-soft)' },
  '.cm-selectionBackground, &.cm-focused > .cm-scroller > .cm-selectionLayer .cm-selectionBackground': {
    backgroundColor: 'var(--accent-soft)',
  },
});

/** Tab indents. After Escape, Tab leaves the editor until the user types or leaves it (WCAG 2.1.2). */
const leaveByEscape: Extension = [
  keymap.of([
    {
      key: 'Escape',
      run: (view) => {
        view.setTabFocusMode(true);
        return true;
      },
    },
  ]),
  EditorView.domEventHandlers({
    blur: (_event, view) => {
      view.setTabFocusMode(false);
    },
  }),
  EditorView.updateListener.of(({ docChanged, view }) => {
    if (docChanged) view.setTabFocusMode(false);
  }),
];

export type ScriptEditorProps = {
  value: string;
  onChange: (value: string) => void;
  /** The ids of the editor's label and description. */
  labelledBy: string;
  describedBy: string;
  isReadOnly: boolean;
  isInvalid: boolean;
};

/** An editor for bash, with line numbers and its own undo history. */
export function ScriptEditor({ value, onChange, labelledBy, describedBy, isReadOnly, isInvalid }: ScriptEditorProps) {
  const place = useRef<HTMLDivElement>(null);
  const view = useRef<EditorView>(undefined);
  const change = useRef(onChange);
  change.current = onChange;
  const initial = useRef(value);
  useEffect(() => {
    if (!place.current) return;
    const editor = new EditorView({
      parent: place.current,
      state: EditorState.create({
        doc: initial.current,
        extensions: [
          leaveByEscape,
          lineNumbers(),
          history(),
          EditorState.readOnly.of(isReadOnly),
          drawSelection(),
          indentOnInput(),
          indentUnit.of('  '),
          highlightActiveLine(),
          EditorView.lineWrapping,
          StreamLanguage.define(shell),
          syntaxHighlighting(colours),
          look,
          keymap.of([...defaultKeymap, ...historyKeymap, indentWithTab]),
          EditorView.contentAttributes.of({
            tabindex: '0',
            'aria-labelledby': labelledBy,
            'aria-describedby': describedBy,
          }),
          EditorView.updateListener.of(({ docChanged, state }) => {
            if (docChanged) change.current(state.doc.toString());
          }),
        ],
      }),
    });
    view.current = editor;
    return () => {
      initial.current = editor.state.doc.toString();
      editor.destroy();
    };
  }, [labelledBy, describedBy, isReadOnly]);
  // The text was replaced from outside, because changes were discarded.
  useEffect(() => {
    const editor = view.current;
    if (!editor || editor.state.doc.toString() === value) return;
    editor.dispatch({ changes: { from: 0, to: editor.state.doc.length, insert: value } });
  }, [value]);
  return (
    <div
      ref={place}
      className={`overflow-hidden rounded-md border font-mono ${isInvalid ? 'border-bad' : 'border-line-strong'}`}
    />
  );
}
