import { queryOptions, useQuery } from '@tanstack/react-query';
import { ChevronRight, Clock, FlaskConical } from 'lucide-react';
import { type ReactNode, useEffect } from 'react';
import { type Answer, api } from '../api/client.ts';
import { listQuery, pageSize } from '../api/list-query.ts';
import { useSession } from '../api/use-session.ts';
import { navigate } from '../routing/router.ts';
import { useAddress } from '../routing/use-address.ts';
import { useStrings } from '../strings/use-strings.tsx';
import { CourseIcon } from '../teaching-model/course-icon.tsx';
import { registrationRulesQuery } from '../teaching-model/registration.ts';
import { ButtonLink } from '../ui/button-link.tsx';
import { Card } from '../ui/card.tsx';
import { Pages } from '../ui/lists/pages.tsx';
import { Logo } from '../ui/logo.tsx';
import { useTitle } from '../ui/page.tsx';
import { useSite } from '../ui/site.ts';
import { Empty, Fetched, Loading } from '../ui/states.tsx';
import { Welcome } from './welcome.tsx';

type OpenCourse = Answer<'/api/catalogue'>[number];

/** What visitors without an account see: the courses, and the ways in. A user who is logged in is led on. */
export function FrontPage() {
  const t = useStrings();
  const { search, onSearch } = useAddress('/welcome');
  const isLoggedIn = useSession().status === 'in';
  const { product } = useSite();
  useTitle(product);
  useEffect(() => {
    if (isLoggedIn) navigate({ to: '/', replace: true });
  }, [isLoggedIn]);
  const courses = useQuery(
    queryOptions({
      ...listQuery(['catalogue'], search, (options) => api.GET('/api/catalogue', options)),
      // It is no part of what users see, who change more.
      staleTime: 60_000,
    }),
  );
  return (
    <Frame>
      <section className="flex flex-col items-start gap-4 py-6 sm:py-10">
        <h1 className="text-3xl font-semibold tracking-tight text-balance sm:text-4xl">{product}</h1>
        <p className="max-w-prose text-lg text-ink-soft">{t.account.loginLead}</p>
        <Welcome className="max-w-prose" />
        <WaysIn />
      </section>
      <section aria-labelledby="courses" className="flex flex-col gap-4">
        <h2 id="courses" className="text-xl font-semibold">
          {t.common.links.courses}
        </h2>
        <Fetched query={courses} skeleton={<Loading rows={2} className="h-48" />}>
          {({ items, total }) => (
            <>
              {total === 0 && <Empty title={t.lessons.nothing}>{t.account.noCourses}</Empty>}
              <ul className="grid grid-cols-1 items-start gap-5 lg:grid-cols-2">
                {items.map((course) => (
                  <li key={course.id}>
                    <CourseCard course={course} />
                  </li>
                ))}
              </ul>
              <Pages page={search.page ?? 1} {...{ pageSize, total }} onChange={(page) => onSearch({ page }, false)} />
            </>
          )}
        </Fetched>
      </section>
    </Frame>
  );
}

function Frame({ children }: { children: ReactNode }) {
  const { product } = useSite();
  return (
    <div data-scroll-restoration-id="page" className="h-full overflow-y-auto">
      <header className="flex min-h-14 flex-wrap items-center gap-3 border-b bg-surface px-4 py-2 sm:px-6">
        <Logo />
        <span className="mr-auto truncate font-semibold">{product}</span>
        <div className="max-sm:hidden">
          <WaysIn isSmall />
        </div>
      </header>
      <main id="content" className="mx-auto flex w-full max-w-6xl flex-col gap-6 px-4 pb-12 sm:px-6">
        {children}
      </main>
    </div>
  );
}

/** The login, and the registration where there is one. */
function WaysIn({ isSmall = false }: { isSmall?: boolean }) {
  const t = useStrings();
  const rules = useQuery(registrationRulesQuery);
  const size = isSmall ? { size: 'small' as const } : {};
  const isOpen = rules.data !== undefined && rules.data.mode !== 'closed';
  return (
    <div className="flex flex-wrap gap-2">
      <ButtonLink to="/login" look={isSmall ? 'plain' : 'primary'} {...size}>
        {t.account.login}
      </ButtonLink>
      {isOpen && (
        <ButtonLink to="/register" look="plain" {...size}>
          {t.account.register}
        </ButtonLink>
      )}
    </div>
  );
}

function CourseCard({ course }: { course: OpenCourse }) {
  const t = useStrings();
  const { name, description, icon, sections, theme_count, laboratory_count, exam_count, duration_minutes } = course;
  const counts = [
    t.account.lessons(theme_count),
    ...(laboratory_count > 0 ? [t.account.laboratories(laboratory_count)] : []),
    ...(exam_count > 0 ? [t.account.exams(exam_count)] : []),
  ];
  return (
    <Card className="flex flex-col gap-3 p-5 sm:p-6">
      <div className="flex gap-4">
        <CourseIcon icon={icon} />
        <div className="min-w-0">
          <h3 className="text-lg font-semibold break-words">{name}</h3>
          <p className="flex flex-wrap items-center gap-x-3 text-sm text-ink-soft tabular-nums">
            {counts.join(' · ')}
            {duration_minutes > 0 && (
              <span className="inline-flex items-center gap-1">
                <Clock size={14} aria-hidden="true" /> {t.account.duration(duration_minutes)}
              </span>
            )}
          </p>
        </div>
      </div>
      {description && <p className="text-sm break-words">{description}</p>}
      {sections.length > 0 && <Contents course={course} />}
    </Card>
  );
}

function Contents({ course: { name, sections } }: { course: OpenCourse }) {
  const t = useStrings();
  return (
    <details className="group border-t pt-2">
      <summary className="flex min-h-9 list-none items-center gap-2 rounded-md px-2 text-sm font-medium hover:bg-sunken">
        <ChevronRight size={16} aria-hidden="true" className="transition-transform group-open:rotate-90" />
        {t.lessons.showContents}
        <span className="sr-only">: {name}</span>
      </summary>
      <ol className="flex flex-col gap-3 px-2 pt-2">
        {sections.map((section) => (
          <li key={section.id}>
            <p className="text-sm font-medium break-words">{section.name}</p>
            <ul className="mt-1 ml-2 flex flex-col gap-1 border-l pl-3 text-sm text-ink-soft">
              {section.themes.map(({ title }, index) => (
                // biome-ignore lint/suspicious/noArrayIndexKey: titles can repeat, and the list never changes its order
                <li key={index} className="break-words">
                  {title}
                </li>
              ))}
              {section.has_laboratory && (
                <li className="flex items-center gap-1.5">
                  <FlaskConical size={14} aria-hidden="true" /> {t.account.laboratory}
                </li>
              )}
            </ul>
          </li>
        ))}
      </ol>
    </details>
  );
}
