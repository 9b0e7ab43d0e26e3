/** What a route's address says after `?`, and the way to change it. */
export function useAddress<Search>(route: {
  useSearch: () => Search;
  useNavigate: () => (options: { search: NoInfer<Search>; replace: boolean }) => Promise<void>;
}) {
  const navigate = route.useNavigate();
  const onSearch = (search: Search, replace: boolean): void => void navigate({ search, replace });
  return { search: route.useSearch(), onSearch };
}
