import { useUser } from '../api/use-session.ts';
import { useStrings } from '../strings/use-strings.tsx';
import { ButtonLink } from '../ui/button-link.tsx';
import { Page } from '../ui/page.tsx';

export function NotFound() {
  const t = useStrings();
  return (
    <main id="content">
      <Page title={t.common.problems.notFoundTitle} lead={t.common.problems.notFoundHelp}>
        <p>
          <ButtonLink to="/">{t.common.problems.toStart}</ButtonLink>
        </p>
      </Page>
    </main>
  );
}

/** Stands for a page of another role. The navigation does not lead there, but links and addresses do. */
export function Forbidden() {
  const t = useStrings();
  const { problems, roles } = t.common;
  return (
    <Page title={problems.forbiddenTitle} lead={problems.forbiddenHelp(roles[useUser().role])}>
      <p>
        <ButtonLink to="/">{problems.toStart}</ButtonLink>
      </p>
    </Page>
  );
}
