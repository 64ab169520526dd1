/**
 * How much a page of the site counts in a search. Guides say what to do. References are written by tools and contain every
 * word many times. Decisions are for developers of Kindling. VitePress sends the function to browsers as text, so it may use
 * only its arguments.
 *
 * @param id the page's address, with or without an anchor
 * @param term what was found there; references explain names of keys, metrics and codes, in the form of `searchTokens`
 */
export function searchBoost(id: string, term: string = ""): number {
  const page = id.replace(/#.*$/, "");
  const isName = term.startsWith("=");
  if (/^\/docs\/decisions\/|^\/(?:recordings|benchmarks)\/|^\/CONTRIBUTING/.test(page)) return 0.1;
  if (/^\/packages\/[^/]+\/docs\//.test(page)) return isName ? 8 : 0.2;
  if (
    /^\/docs\/(?:cli|configuration|errors|http-apis|metrics|mistakes|chart-values|operator-chart-values|spark-versions|compatibility|benchmarks)\.html$/.test(
      page,
    )
  )
    return isName ? 8 : 0.2;
  if (/^\/docs\/(?:quick-start|from-spark-submit|local-files|applications|install)\.html$/.test(page)) return 2.5;
  if (/^\/docs\/troubleshooting\.html$/.test(page)) return 1;
  if (page.startsWith("/docs/")) return 2;
  return page.startsWith("/packages/dev/") ? 1.5 : 0.6;
}

/**
 * The words of a text, and whole names in it after a sign: `spark.kindling.staging.uri` is found by itself and by its parts,
 * but a search for `spark` does not find every name with this prefix. Sent to browsers as text, too.
 */
export function searchTokens(text: string): string[] {
  const words = text.split(/[\n\r\p{Z}\p{P}]+/u);
  return [...words, ...(text.match(/\w+(?:[._]\w+)+/g) ?? []).map((name) => `=${name}`)];
}
