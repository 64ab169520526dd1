import type { FakeBucket, FakeObject } from "./bucket.ts";

const PAGE_ENTRIES = 3;

/** The answer to `ListObjectsV2`: a small page, so that clients need more than one. */
export function listing({ objects }: FakeBucket, query: URLSearchParams): string {
  const after = query.get("continuation-token") ?? "";
  const left = [...entriesOf(objects, query)].filter(([key]) => key > after);
  const page = left.slice(0, PAGE_ENTRIES);
  const more = left.length > page.length;
  const next = more ? `<NextContinuationToken>${page.at(-1)?.[0] ?? ""}</NextContinuationToken>` : "";
  return `<ListBucketResult><IsTruncated>${more}</IsTruncated>${next}${page.map(([, xml]) => xml).join("")}</ListBucketResult>`;
}

/** Objects and, with a delimiter, the common prefixes of some of them. */
function entriesOf(objects: ReadonlyMap<string, FakeObject>, query: URLSearchParams): ReadonlyMap<string, string> {
  const prefix = query.get("prefix") ?? "";
  const delimiter = query.get("delimiter");
  const entries = new Map<string, string>();
  for (const [key, object] of [...objects].sort(([a], [b]) => (a < b ? -1 : 1))) {
    if (!key.startsWith(prefix)) continue;
    const rest = key.slice(prefix.length);
    const cut = delimiter === null ? -1 : rest.indexOf(delimiter);
    if (cut >= 0) {
      const common = prefix + rest.slice(0, cut + 1);
      entries.set(common, `<CommonPrefixes><Prefix>${common}</Prefix></CommonPrefixes>`);
    } else {
      const modified = new Date(object.modified).toISOString();
      entries.set(
        key,
        `<Contents><Key>${key}</Key><LastModified>${modified}</LastModified><ETag>${object.etag.replaceAll('"', "&quot;")}</ETag><Size>${object.bytes.length}</Size></Contents>`,
      );
    }
  }
  return entries;
}
