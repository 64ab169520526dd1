import { parseAnswer } from "../client/parse-answer.ts";
import { resourcePath, withQuery } from "../client/request-path.ts";
import type { ListOptions } from "../client/options.ts";
import { isExpired } from "../errors/status.ts";
import type { KubeObject, ListMeta } from "../kube-object.ts";
import { apiVersionOf, type ResourceType } from "../resource-type.ts";
import type { Transport } from "../transport/transport.ts";

/** One page of a list. */
export interface ListPage<T extends KubeObject = KubeObject> {
  readonly items: T[];
  /** Of the list as a whole: where a watch goes on. */
  readonly resourceVersion: string;
  /** The list began anew with this page, since the server had forgotten its place: drop the earlier pages. */
  readonly restarted: boolean;
}

/** A whole list. */
export interface KubeList<T extends KubeObject = KubeObject> {
  readonly items: T[];
  readonly resourceVersion: string;
}

const PAGE_SIZE = 500;

/**
 * Lists page by page (Kubernetes API concepts, "Retrieving large results sets in chunks"). A continue token lives for
 * about five minutes; where it is gone in the middle, the list starts again and without pages, so that a reader who is
 * slower than that comes to an end too (as client-go's pager does).
 */
export async function* listPages<T extends KubeObject>(
  transport: Transport,
  type: ResourceType<T>,
  namespace: string | undefined,
  options: ListOptions,
): AsyncGenerator<ListPage<T>, void> {
  let token: string | undefined;
  let pageSize: number | undefined = options.pageSize ?? PAGE_SIZE;
  let restarted = false;
  do {
    let page: { metadata?: ListMeta; items?: T[] | null };
    try {
      page = await fetchPage(transport, type, namespace, { ...options, pageSize }, token);
    } catch (error) {
      if (token === undefined || !isExpired(error)) throw error;
      token = undefined;
      pageSize = undefined;
      restarted = true;
      continue;
    }
    token = page.metadata?.continue === "" ? undefined : page.metadata?.continue;
    yield {
      items: withTypeNames(type, page.items ?? []),
      resourceVersion: page.metadata?.resourceVersion ?? "",
      restarted,
    };
    restarted = false;
  } while (token !== undefined || restarted);
}

export async function listAll<T extends KubeObject>(pages: AsyncIterable<ListPage<T>>): Promise<KubeList<T>> {
  let items: T[] = [];
  let resourceVersion = "";
  for await (const page of pages) {
    items = page.restarted ? page.items : items.concat(page.items);
    resourceVersion = page.resourceVersion;
  }
  return { items, resourceVersion };
}

async function fetchPage<T extends KubeObject>(
  transport: Transport,
  type: ResourceType<T>,
  namespace: string | undefined,
  options: ListOptions,
  token: string | undefined,
): Promise<{ metadata?: ListMeta; items?: T[] | null }> {
  const path = withQuery(resourcePath(type, { namespace }), {
    limit: options.pageSize,
    continue: token,
    labelSelector: options.labelSelector,
    fieldSelector: options.fieldSelector,
    // The server refuses a resource version beside a token, which holds one.
    resourceVersion: token === undefined ? options.resourceVersion : undefined,
  });
  const { signal, timeoutMs } = options;
  const request = { method: "GET", path, signal, timeoutMs, repeatable: "always" } as const;
  return parseAnswer(request, await transport.send(request)) as { metadata?: ListMeta; items?: T[] | null };
}

/** Items of a list come without `apiVersion` and `kind`; those of a watch have them. Here they all do. */
function withTypeNames<T extends KubeObject>(type: ResourceType<T>, items: T[]): T[] {
  const apiVersion = apiVersionOf(type);
  for (const item of items) {
    item.apiVersion ??= apiVersion;
    item.kind ??= type.kind;
  }
  return items;
}
