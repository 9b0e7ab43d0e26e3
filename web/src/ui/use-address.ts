/** The parameters in a route's URL, and a function that changes them. */
export function useAddress<Search>(route: {
  useSearch: () => Search;
  useNavigate: () => (options: { search: NoInfer<Search>; replace: boolean }) => Promise<void>;
}) {
  const navigate = route.useNavigate();
  const onSearch = (search: Search, replace: boolean): void => void navigate({ search, replace });
  return { search: route.useSearch(), onSearch };
}
