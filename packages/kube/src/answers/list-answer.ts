import { type KubeObjectLike, apiVersionOf } from "@kindling/kube-objects";
import { isFields, type Fields } from "../fields.ts";
import type { ResourceType } from "../resource-type.ts";
import { isBuiltIn } from "../resources.ts";
import { Malformed, parseJson, protocolError, type Asked } from "./malformed.ts";
import { metadataOf, parseMetadata, shortText, versionIn } from "./metadata.ts";
import { checkListKind, isText } from "./object-answer.ts";

/** One page as the server sent it. */
export interface ListAnswer {
  readonly items: KubeObjectLike[];
  /** Undefined for what is computed and not stored, such as metrics. */
  readonly resourceVersion: string | undefined;
  /** Where the next page begins; undefined on the last one. */
  readonly continueToken: string | undefined;
}

/**
 * A page of the list that was asked for; throws a protocol error for anything else. An empty list has an empty `items`, or
 * `null` as servers in Go write it. But `items` must be there: `{}` does not say that there are no objects.
 */
export function parseListAnswer(
  asked: Asked,
  text: string,
  type: ResourceType,
  namespace: string | undefined,
): ListAnswer {
  try {
    const list = parseJson(text, "the answer");
    if (!isFields(list)) throw new Malformed("the answer is no list");
    checkListKind(list, type);
    const metadata = metadataOf(list);
    const resourceVersion = versionIn(metadata);
    if (isBuiltIn(type) && resourceVersion === undefined) throw new Malformed("the list has no resourceVersion");
    const items = itemsOf(list, resourceVersion);
    const expected = { type, namespace: type.namespaced ? namespace : undefined };
    for (const item of items) checkItem(item, expected);
    return { items: items as KubeObjectLike[], resourceVersion, continueToken: shortText(metadata, "continue") };
  } catch (error) {
    throw protocolError(asked, error);
  }
}

function itemsOf(list: Fields, resourceVersion: string | undefined): unknown[] {
  const { items } = list;
  if (items === null && resourceVersion !== undefined) return [];
  if (!Array.isArray(items)) throw new Malformed("the list has no items");
  return items;
}

/** Items come without `apiVersion` and `kind`, or with those that were asked for; items of a `List` name their own. */
function checkItem(
  item: unknown,
  { type, namespace }: { readonly type: ResourceType; readonly namespace: string | undefined },
): void {
  if (!isFields(item)) throw new Malformed("an item of the list is no object");
  const { apiVersion = apiVersionOf(type), kind = type.kind } = item;
  if (apiVersion !== apiVersionOf(type) || kind !== type.kind) {
    throw new Malformed(`an item of the list is no ${type.kind} of ${apiVersionOf(type)}`);
  }
  const metadata = parseMetadata(item);
  if (!isText(metadata.name)) throw new Malformed("an item of the list has no name");
  if (isBuiltIn(type) && !isText(metadata.uid)) throw new Malformed("an item of the list has no uid");
  if (namespace !== undefined && (metadata.namespace ?? namespace) !== namespace) {
    throw new Malformed("an item of the list is of another namespace");
  }
}
