import { type KubeObjectLike, apiVersionOf } from "@kindling/kube-objects";
import { statusError } from "../errors/status-error.ts";
import { parseStatusObject } from "../errors/status-object.ts";
import { shownPath } from "../errors/quoted.ts";
import { isFields, type Fields } from "../fields.ts";
import type { ResourceType } from "../resource-type.ts";
import type { WatchEvent } from "./watch-event.ts";
import { Malformed, parseJson, protocolError, shownText, type Asked } from "./malformed.ts";
import { metadataOf, parseMetadata, versionIn } from "./metadata.ts";
import { isText } from "./object-answer.ts";

/** Types of events that carry an object. */
const CHANGES: ReadonlySet<unknown> = new Set(["ADDED", "MODIFIED", "DELETED"]);

/**
 * One line of a watch (apimachinery, `WatchEvent`). Throws a protocol error for everything except a well-formed event of the
 * type that is watched, and what an ERROR event reports as an error of kind `status`.
 */
export function parseWatchLine<T extends KubeObjectLike>(
  asked: Asked,
  line: string,
  type: ResourceType<T>,
  namespace: string | undefined,
): WatchEvent<T> {
  try {
    const event = parseJson(line, "an event");
    if (!isFields(event)) throw new Malformed("an event is no object");
    const { object } = event;
    if (!isFields(object)) throw new Malformed("an event has no object");
    if (event["type"] === "ERROR") throw reportedError(asked, object);
    return parseEvent(event["type"], object, type, namespace);
  } catch (error) {
    throw protocolError(asked, error);
  }
}

function reportedError(asked: Asked, object: Fields): unknown {
  const status = parseStatusObject(object);
  const code = status?.code;
  if (status === undefined || code === undefined || code < 400 || code > 599) {
    return new Malformed("an ERROR event does not hold the Status of an error");
  }
  return statusError({ ...status, code }, { method: asked.method, path: shownPath(asked.path), attempts: 1 });
}

function parseEvent<T extends KubeObjectLike>(
  kind: unknown,
  object: Fields,
  type: ResourceType<T>,
  namespace: string | undefined,
): WatchEvent<T> {
  const isBookmark = kind === "BOOKMARK";
  if (!isBookmark && !CHANGES.has(kind)) throw new Malformed(`an event has the unknown type ${shownText(kind)}`);
  checkType(object, type);
  const resourceVersion = versionIn(metadataOf(object));
  if (resourceVersion === undefined) throw new Malformed("an event's object has no resourceVersion");
  if (isBookmark) return { type: "BOOKMARK", resourceVersion };
  const { name, uid, namespace: own } = parseMetadata(object);
  if (!isText(name)) throw new Malformed("an event's object has no name");
  // Without it, an object cannot be told from a later one of the same name.
  if (!isText(uid)) throw new Malformed("an event's object has no uid");
  if (type.namespaced && namespace !== undefined && (own ?? namespace) !== namespace) {
    throw new Malformed("an event's object is of another namespace");
  }
  return { type: kind as "ADDED" | "MODIFIED" | "DELETED", object: object as unknown as T, resourceVersion };
}

function checkType(object: Fields, type: ResourceType): void {
  const { apiVersion = apiVersionOf(type), kind = type.kind } = object;
  if (apiVersion === apiVersionOf(type) && kind === type.kind) return;
  throw new Malformed(`an event's object is no ${type.kind} of ${apiVersionOf(type)}`);
}
