import { objectKey } from "@kindling/kube-objects";
import { type Api, collectionOf } from "./api.ts";
import type { ResourceType } from "../resources/resource-type.ts";
import { badRequest, expired, tooLargeResourceVersion } from "../status/errors.ts";
import type { Collection } from "../storage/collection.ts";
import type { StoredObject } from "../storage/stored-object.ts";
import { decodeContinue, encodeContinue } from "./continue-token.ts";
import type { Selection } from "./selection.ts";

export interface ListOptions {
  readonly limit: number;
  readonly continue: string;
  readonly resourceVersion: string;
  readonly resourceVersionMatch: string;
}

/** A page of a list. */
export interface Page {
  readonly items: readonly StoredObject[];
  readonly revision: number;
  /** The token for the next page; undefined on the last one. */
  readonly continue: string | undefined;
  /** How many objects follow; undefined with a selector, because the server does not know it then. */
  readonly remaining: number | undefined;
}

/**
 * Lists objects. Later pages show the state of the first one, as long as the history reaches back far enough.
 *
 * @throws ApiError 400 for a bad version or token, 410 for one that is too old, 504 for one in the future.
 */
export function listObjects(api: Api, type: ResourceType, selection: Selection, options: ListOptions): Page {
  const collection = collectionOf(api, type);
  if (options.continue !== "") return continueList(api, collection, selection, options);
  const revision = revisionOf(options.resourceVersion);
  const current = api.store.revision;
  if (revision !== undefined && revision > current) throw tooLargeResourceVersion(revision, current);
  if (options.resourceVersionMatch === "Exact" && revision !== undefined) {
    const items = collection.listAt(revision, selection.namespace);
    if (items === undefined) throw expired("The resourceVersion for the provided list is too old.");
    return page(items, selection, options, revision);
  }
  return page(collection.list(selection.namespace), selection, options, current, collection);
}

function continueList(api: Api, collection: Collection, selection: Selection, options: ListOptions): Page {
  const token = decodeContinue(options.continue);
  if (options.resourceVersion !== "" && options.resourceVersion !== "0") {
    throw badRequest("specifying resource version is not allowed when using continue");
  }
  // A token without a revision continues in the current state (a 410 offers such a token to clients that accept this).
  const revision = token.revision < 0 ? api.store.revision : token.revision;
  const prefix = selection.namespace === undefined ? "" : `${selection.namespace}/`;
  const start = `${prefix}${token.start}`;
  const items =
    token.revision < 0 ? [...collection.list(selection.namespace)] : collection.listAt(revision, selection.namespace);
  if (items === undefined) throw tooOldToken(token.start);
  const rest = items.filter((stored) => keyOf(stored) >= start);
  return page(rest, selection, options, revision);
}

function page(
  items: Iterable<StoredObject>,
  selection: Selection,
  options: ListOptions,
  revision: number,
  whole?: Collection,
): Page {
  const { limit } = options;
  const selected: StoredObject[] = [];
  let examined = 0;
  let more = false;
  for (const stored of items) {
    if (limit > 0 && selected.length === limit) {
      more = true;
      break;
    }
    examined += 1;
    if (selection.matches(stored.object)) selected.push(stored);
  }
  const last = selected.at(-1);
  if (!more || last === undefined) return { items: selected, revision, continue: undefined, remaining: undefined };
  const prefix = selection.namespace === undefined ? "" : `${selection.namespace}/`;
  const start = `${keyOf(last)}\0`.slice(prefix.length);
  const remaining = selection.everything ? countAll(items, selection, whole) - examined : undefined;
  return { items: selected, revision, continue: encodeContinue({ revision, start }), remaining };
}

function countAll(items: Iterable<StoredObject>, selection: Selection, whole: Collection | undefined): number {
  if (Array.isArray(items)) return items.length;
  if (whole === undefined) return 0;
  return selection.namespace === undefined ? whole.size : [...whole.list(selection.namespace)].length;
}

function keyOf({ object: { metadata } }: StoredObject): string {
  return objectKey(metadata.namespace, metadata.name);
}

/** A resourceVersion as a number; undefined for the empty one. */
export function revisionOf(text: string): number | undefined {
  if (text === "") return undefined;
  if (!/^\d+$/.test(text)) {
    const why = `strconv.ParseUint: parsing ${JSON.stringify(text)}: invalid syntax`;
    throw badRequest(`invalid resource version: resourceVersion: Invalid value: ${JSON.stringify(text)}: ${why}`);
  }
  return Number(text);
}

function tooOldToken(start: string): Error {
  return expired(
    "The provided continue parameter is too old to display a consistent list result. You can start a new list without " +
      "the continue parameter, or use the continue token in this response to retrieve the remainder of the results. " +
      "Continuing with the provided token results in an inconsistent list - objects that were created, modified, or " +
      "deleted between the time the first chunk was returned and now may show up in the list.",
    encodeContinue({ revision: -1, start }),
  );
}
