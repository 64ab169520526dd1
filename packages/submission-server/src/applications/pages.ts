import type { ApplicationRecord } from "./application-record.ts";

export interface PageRequest {
  readonly limit: number;
  /** The last place of the page before, by {@link placeOf}. */
  readonly after: Place | undefined;
}

export interface Page {
  readonly items: readonly ApplicationRecord[];
  /** Where the next page begins; undefined on the last page. */
  readonly next: string | undefined;
}

/** A page of applications, the newest first. Pages stay consistent while applications come and go. */
export function pageOf(records: readonly ApplicationRecord[], { limit, after }: PageRequest): Page {
  const sorted = records.toSorted(newestFirst);
  const begin = after === undefined ? 0 : sorted.findIndex((record) => newestFirst(record, after) > 0);
  const items = begin < 0 ? [] : sorted.slice(begin, begin + limit);
  const last = items.at(-1);
  return { items, next: last === undefined || sorted.at(-1) === last ? undefined : tokenOf(last) };
}

/** The position of an application among all of them. */
export type Place = Pick<ApplicationRecord, "created" | "id">;

function newestFirst(a: Place, b: Place): number {
  return compare(b.created ?? "", a.created ?? "") || compare(a.id, b.id);
}

function compare(a: string, b: string): number {
  return a < b ? -1 : a > b ? 1 : 0;
}

function tokenOf({ created = "", id }: Place): string {
  return Buffer.from(`${created} ${id}`).toString("base64url");
}

/** The place in the token of a page; undefined for any other text. */
export function placeOf(token: string): Place | undefined {
  const [created = "", id, ...others] = Buffer.from(token, "base64url").toString("utf8").split(" ");
  if (id === undefined || others.length > 0 || !/^[a-z0-9-]+:[a-z0-9.-]+$/.test(id)) return undefined;
  return { created, id };
}
