import type { WatchOptions } from "../client/options.ts";
import { resourcePath, withQuery } from "../client/request-path.ts";
import { kubeError, type KubeError } from "../errors/kube-error.ts";
import { statusError, type StatusObject } from "../errors/status-error.ts";
import type { KubeObject } from "../kube-object.ts";
import type { ResourceType } from "../resource-type.ts";
import type { Transport } from "../transport/transport.ts";
import { lineSplitter, LineTooLong } from "./split-lines.ts";
import type { WatchEvent } from "./watch-event.ts";

const SHORTEST_WATCH_S = 240;
const LONGEST_WATCH_S = 480;
/** Three bookmarks that did not come. */
const IDLE_TIMEOUT_MS = 180_000;
const LONGEST_EVENT_BYTES = 16 * 1024 * 1024;

interface RawEvent {
  readonly type?: string;
  readonly object?: KubeObject & StatusObject;
}

/**
 * One watch (Kubernetes API concepts, "Efficient detection of changes"). Ends when the server ends it, which it is asked
 * to do after a random time, so that many watches do not come back all at once. Throws where it breaks: status 410 as an
 * answer or inside the stream (list again), `timeout` with phase `idle` when the stream falls silent although bookmarks
 * were asked for, `unreachable`, `protocol`, `aborted`. What was yielded before that is good.
 */
export async function* watch<T extends KubeObject>(
  transport: Transport,
  type: ResourceType<T>,
  namespace: string | undefined,
  options: WatchOptions,
  random: () => number,
): AsyncGenerator<WatchEvent<T>, void> {
  const path = withQuery(resourcePath(type, { namespace }), {
    labelSelector: options.labelSelector,
    fieldSelector: options.fieldSelector,
    resourceVersion: options.resourceVersion,
    timeoutSeconds: options.timeoutSeconds ?? randomDuration(random),
    allowWatchBookmarks: true,
    watch: true,
  });
  const stream = await transport.open({ method: "GET", path, signal: options.signal, repeatable: "always" });
  const longest = options.maxEventBytes ?? LONGEST_EVENT_BYTES;
  const splitter = lineSplitter(longest);
  const fail = (fault: string, cause?: unknown): KubeError =>
    kubeError({ kind: "protocol" }, `GET ${path}: ${fault}`, { method: "GET", path, attempts: 1, cause });

  for await (const chunk of stream.chunks(options.idleTimeoutMs ?? IDLE_TIMEOUT_MS)) {
    let lines: Buffer[];
    try {
      lines = splitter.push(chunk);
    } catch (error) {
      if (error instanceof LineTooLong) throw fail(`an event is longer than ${longest} bytes`);
      throw error;
    }
    for (const line of lines) yield readEvent<T>(line, path, fail);
  }
  if (splitter.rest().length > 0) throw fail("the stream ended in the middle of an event");
}

function randomDuration(random: () => number): number {
  return Math.floor(SHORTEST_WATCH_S + random() * (LONGEST_WATCH_S - SHORTEST_WATCH_S));
}

function readEvent<T extends KubeObject>(
  line: Buffer,
  path: string,
  fail: (fault: string, cause?: unknown) => KubeError,
): WatchEvent<T> {
  let event: RawEvent;
  try {
    event = JSON.parse(line.toString("utf8")) as RawEvent;
  } catch (error) {
    throw fail("an event is not JSON", error);
  }
  const { type, object } = event;
  if (object === undefined) throw fail("an event has no object");
  if (type === "ERROR") throw statusError(object, { method: "GET", path, attempts: 1 });
  const resourceVersion = object.metadata?.resourceVersion;
  if (resourceVersion === undefined) throw fail("an event's object has no resourceVersion");
  switch (type) {
    case "ADDED":
    case "MODIFIED":
    case "DELETED":
      return { type, object: object as unknown as T, resourceVersion };
    case "BOOKMARK":
      return { type, resourceVersion };
    case undefined:
    default:
      throw fail(`an event has the unknown type ${JSON.stringify(type)}`);
  }
}
