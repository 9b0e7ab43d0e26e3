import { useStrings } from '../strings/use-strings.tsx';
import { Crumb, Crumbs } from '../ui/crumbs.tsx';

/** What is above a page that the settings lead to. */
export function SettingsCrumbs() {
  const t = useStrings();
  return (
    <Crumbs>
      <Crumb to="/administration/settings">{t.common.links.settings}</Crumb>
    </Crumbs>
  );
}
