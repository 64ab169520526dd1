import { type KubeObjectLike, apiVersionOf } from "@kindling/kube-objects";
import { parseListAnswer, type ListAnswer } from "../answers/list-answer.ts";
import { resourcePath, withQuery } from "./request-path.ts";
import type { ListOptions } from "./options.ts";
import type { Clock } from "@kindling/outside";
import { isExpired } from "../errors/status.ts";
import type { ResourceType } from "../resource-type.ts";
import type { Transport } from "../transport/transport.ts";
import { listBudget, type ListBudget } from "./list-budget.ts";

/** One page of a list. */
export interface ListPage<T extends KubeObjectLike = KubeObjectLike> {
  readonly items: T[];
  /**
   * The version of the whole list, from which a watch can start. Empty if the server gives none, for example for objects that
   * it does not store.
   */
  readonly resourceVersion: string;
  /** The list began again with this page, because the server had forgotten its place: drop the earlier pages. */
  readonly restarted: boolean;
}

/** A whole list, or the kept part of it. */
export interface KubeList<T = KubeObjectLike> {
  readonly items: T[];
  readonly resourceVersion: string;
}

const PAGE_SIZE = 500;

/**
 * Lists page by page (Kubernetes API concepts, "Retrieving large results sets in chunks"). A continue token is valid for
 * about five minutes. If it expires in the middle, the list starts again, once, and without pages, so that a slow reader
 * comes to an end, too (as with client-go's pager). A list that exceeds its limits fails.
 */
export async function* listPages<T extends KubeObjectLike>(
  transport: Transport,
  type: ResourceType<T>,
  namespace: string | undefined,
  options: ListOptions,
  clock: Clock,
): AsyncGenerator<ListPage<T>, void> {
  const budget = listBudget(options, options.pageSize ?? PAGE_SIZE);
  let token: string | undefined;
  let pageSize: number | undefined = options.pageSize ?? PAGE_SIZE;
  let isRestarted = false;
  let restarted = false;
  do {
    let page: ListAnswer;
    try {
      page = await fetchPage(transport, type, namespace, { ...options, pageSize }, token, budget, clock);
    } catch (error) {
      if (token === undefined || isRestarted || !isExpired(error)) throw error;
      token = undefined;
      pageSize = undefined;
      isRestarted = restarted = true;
      budget.restart();
      continue;
    }
    token = page.continueToken;
    const items = page.items as T[];
    yield { items: withTypeNames(type, items), resourceVersion: page.resourceVersion ?? "", restarted };
    restarted = false;
  } while (token !== undefined || restarted);
}

export async function listAll<T extends KubeObjectLike>(pages: AsyncIterable<ListPage<T>>): Promise<KubeList<T>> {
  return gatherPages(pages, (item) => item);
}

/** Puts the pages of a list together; of each item only the needed part is kept. */
export async function gatherPages<T extends KubeObjectLike, R>(
  pages: AsyncIterable<ListPage<T>>,
  keep: (item: T) => R,
): Promise<KubeList<R>> {
  let items: R[] = [];
  let resourceVersion = "";
  for await (const page of pages) {
    if (page.restarted) items = [];
    for (const item of page.items) items.push(keep(item));
    resourceVersion = page.resourceVersion;
  }
  return { items, resourceVersion };
}

function listPath(
  type: ResourceType,
  namespace: string | undefined,
  options: ListOptions,
  token: string | undefined,
): string {
  return withQuery(resourcePath(type, { namespace }), {
    limit: options.pageSize,
    continue: token,
    labelSelector: options.labelSelector,
    fieldSelector: options.fieldSelector,
    // The server refuses a resource version together with a token, which contains one.
    resourceVersion: token === undefined ? options.resourceVersion : undefined,
  });
}

async function fetchPage(
  transport: Transport,
  type: ResourceType,
  namespace: string | undefined,
  options: ListOptions,
  token: string | undefined,
  budget: ListBudget,
  clock: Clock,
): Promise<ListAnswer> {
  const { signal, timeoutMs } = options;
  const path = listPath(type, namespace, options, token);
  const maxBytes = budget.pageBytes;
  const request = { method: "GET", path, signal, timeoutMs, maxBytes, repeatable: "always" } as const;
  const startedAt = clock.now();
  const text = await transport.send(request);
  const milliseconds = clock.now() - startedAt;
  const page = parseListAnswer(request, text, type, namespace);
  const { items, continueToken } = page;
  budget.spend(request, { items: items.length, bytes: Buffer.byteLength(text), milliseconds, continueToken });
  return page;
}

/** Items of a list come without `apiVersion` and `kind`; those of a watch have them. Here they all do. */
function withTypeNames<T extends KubeObjectLike>(type: ResourceType, items: T[]): T[] {
  const apiVersion = apiVersionOf(type);
  for (const item of items) {
    item.apiVersion ??= apiVersion;
    item.kind ??= type.kind;
  }
  return items;
}
