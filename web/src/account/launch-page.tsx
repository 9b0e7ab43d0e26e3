import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { type ReactNode, useEffect, useState } from 'react';
import type { Answer } from '../api/client.ts';
import { api } from '../api/client.ts';
import { ok } from '../api/problem.ts';
import { session } from '../api/session.ts';
import { navigate } from '../routing/router.ts';
import { useStrings } from '../strings/use-strings.tsx';
import { Button, longText } from '../ui/button.tsx';
import { Card } from '../ui/card.tsx';
import { Select, TextField } from '../ui/forms/field.tsx';
import { useTitle } from '../ui/page.tsx';
import { ProblemNote } from '../ui/problem-note.tsx';
import { Fetched, Loading } from '../ui/states.tsx';

type Choices = Answer<'/api/lti/choices', 'post'>;
const key = ['lti-choices'];
/**
 * What the document says of the launch that has opened it: the reference for the service, the page to go on to, why it was refused, and whose it
 * is where the browser cannot show that it has begun it.
 */
const { launch, launchNext = '/', launchRefused, launchUser } = document.documentElement.dataset;
const body = { launch: launch ?? '' };
let entering: Promise<boolean> | undefined;

/** Exchanges the launch for a session, once. @returns false where it is over */
const enter = (): Promise<boolean> => {
  entering ??= ok(api.POST('/api/lti/session', { body })).then(
    (answer) => {
      session.begin(answer);
      return true;
    },
    () => false,
  );
  return entering;
};

/** What a launch of a platform still needs: a confirmation, the class of a course, what a link shows. Or why it was refused. */
export function LaunchPage() {
  const words = useStrings().lti;
  const [isConfirmed, setConfirmed] = useState(launchUser === undefined);
  const [isIn, setIn] = useState<boolean>();
  useTitle(words.title);
  useEffect(() => {
    if (!launch || !isConfirmed) return;
    void enter().then((hasEntered) => {
      if (hasEntered && launchNext !== '/lti') navigate({ href: launchNext, replace: true });
      else setIn(hasEntered);
    });
  }, [isConfirmed]);
  if (launchRefused) return <Said text={words.refused[launchRefused as keyof typeof words.refused]} />;
  if (!launch) return <Said text={words.none} />;
  if (launchUser && !isConfirmed) return <Confirmation name={launchUser} onConfirm={() => setConfirmed(true)} />;
  if (isIn === undefined) return <Loading />;
  return isIn ? <Chooser /> : <Said text={words.over} />;
}

function Frame({ title, children }: { title: string; children: ReactNode }) {
  return (
    <main id="content" className="mx-auto flex max-w-2xl flex-col gap-4 p-4">
      <h1 className="text-xl font-semibold wrap-anywhere">{title}</h1>
      <Card className="flex flex-col gap-4 p-6">{children}</Card>
    </main>
  );
}

function Said({ text }: { text: string }) {
  return (
    <Frame title={useStrings().lti.title}>
      <p role="status">{text}</p>
    </Frame>
  );
}

/** Somebody else can have begun the launch, to have this user work in the other's account. */
function Confirmation({ name, onConfirm }: { name: string; onConfirm: () => void }) {
  const words = useStrings().lti;
  return (
    <Frame title={words.confirm(name)}>
      <p>{words.confirmHelp}</p>
      <Button look="primary" className={longText} onClick={onConfirm}>
        {words.goOn(name)}
      </Button>
    </Frame>
  );
}

function Chooser() {
  const queries = useQueryClient();
  const choices = useQuery({ queryKey: key, queryFn: () => ok(api.POST('/api/lti/choices', { body })) });
  return (
    <Fetched query={choices}>
      {(data) =>
        data.class_id === null ? (
          <ClassChoice choices={data} onChosen={(chosen) => queries.setQueryData(key, chosen)} />
        ) : (
          <ItemChoice choices={data} classId={data.class_id} />
        )
      }
    </Fetched>
  );
}

function ClassChoice({ choices, onChosen }: { choices: Choices; onChosen: (choices: Choices) => void }) {
  const words = useStrings().lti;
  const { user } = session.state.status === 'in' ? session.state : {};
  const [chosen, setChosen] = useState('');
  const choose = useMutation({
    mutationFn: () =>
      ok(api.PUT('/api/lti/class', { body: { ...body, class_id: chosen === '' ? null : Number(chosen) } })),
    onSuccess: onChosen,
  });
  if (user?.role === 'student') return <Said text={words.notInstructor} />;
  const options = choices.classes.map(({ id, name }) => ({ value: `${id}`, label: name }));
  return (
    <Frame title={words.course(choices.course_title)}>
      {choose.error && <ProblemNote error={choose.error} />}
      <Select
        label={words.class}
        help={words.courseHelp}
        value={chosen}
        onChange={({ target }) => setChosen(target.value)}
        options={[{ value: '', label: words.newClass(choices.course_title) }, ...options]}
      />
      <div>
        <Button look="primary" isBusy={choose.isPending} onClick={() => choose.mutate()}>
          {words.choose}
        </Button>
      </div>
    </Frame>
  );
}

function ItemChoice({ choices: { items }, classId }: { choices: Choices; classId: number }) {
  const words = useStrings().lti;
  const [text, setText] = useState('');
  const show = useMutation({
    mutationFn: ({ kind, id }: Choices['items'][number]) =>
      ok(api.PUT('/api/lti/item', { body: { ...body, kind, id } })),
    onSuccess: ({ path, return_url, message }) => {
      if (return_url !== null && message !== null) post(return_url, message);
      else navigate({ href: path, replace: true });
    },
  });
  const shown = items.filter(({ title, group_title }) =>
    `${title} ${group_title ?? ''}`.toLowerCase().includes(text.toLowerCase()),
  );
  return (
    <Frame title={words.item}>
      <p className="text-sm text-ink-soft">{items.length === 0 ? words.noItems : words.itemHelp}</p>
      {show.error && <ProblemNote error={show.error} />}
      {items.length > 0 && (
        <TextField
          isLabelHidden
          label={words.find}
          type="search"
          value={text}
          onChange={(event) => setText(event.target.value)}
          placeholder={words.find}
        />
      )}
      <ul className="flex flex-col gap-2">
        {shown.slice(0, 100).map((item) => (
          <li key={`${item.kind}:${item.id}`}>
            <Button
              className="w-full justify-between text-left"
              disabled={show.isPending || show.isSuccess}
              aria-label={words.use(item.title)}
              onClick={() => show.mutate(item)}
            >
              <span className="min-w-0">
                <span className="block wrap-anywhere">{item.title}</span>
                <span className="block text-xs font-normal text-ink-soft wrap-anywhere">{item.group_title}</span>
              </span>
              <span className="text-xs font-normal text-ink-soft">{words.kinds[item.kind]}</span>
            </Button>
          </li>
        ))}
      </ul>
      <Link to="/classes/$classId" params={{ classId: `${classId}` }} className="font-medium text-accent underline">
        {words.toClass}
      </Link>
    </Frame>
  );
}

/** The answer to the platform, which shows its own page next. */
function post(url: string, message: string): void {
  const form = Object.assign(document.createElement('form'), { method: 'post', action: url, hidden: true });
  form.append(Object.assign(document.createElement('input'), { name: 'JWT', value: message }));
  document.body.append(form);
  form.submit();
}
