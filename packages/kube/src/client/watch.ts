import type { KubeObjectLike } from "@kindling/kube-objects";
import { protocolFault } from "../answers/malformed.ts";
import { parseWatchLine } from "../answers/watch-line.ts";
import type { WatchOptions } from "./options.ts";
import { resourcePath, withQuery } from "./request-path.ts";
import type { Clock } from "@kindling/outside";
import type { ResourceType } from "../resource-type.ts";
import type { Transport } from "../transport/transport.ts";
import { lineSplitter, LineTooLong } from "./split-lines.ts";
import type { WatchEvent } from "../answers/watch-event.ts";

const SHORTEST_WATCH_S = 240;
const LONGEST_WATCH_S = 480;
/** The time of three missing bookmarks. */
const IDLE_TIMEOUT_MS = 180_000;
const LONGEST_EVENT_BYTES = 16 * 1024 * 1024;

/**
 * One watch (Kubernetes API concepts, "Efficient detection of changes"). Ends when the server ends it, which it is asked to
 * do after a random time, so that many watches do not come back all at once. Throws if it breaks: status 410 as an answer or
 * inside the stream (list again), `timeout` with phase `idle` when the stream falls silent although bookmarks were asked for,
 * `unreachable`, `protocol`, `aborted`. Everything that was yielded before that is valid.
 */
export async function* watch<T extends KubeObjectLike>(
  transport: Transport,
  type: ResourceType<T>,
  namespace: string | undefined,
  options: WatchOptions,
  clock: Clock,
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
  const asked = { method: "GET", path } as const;
  const stream = await transport.open({ ...asked, signal: options.signal, repeatable: "always" });
  options.onOpen?.();
  const { maxEventBytes: longest = LONGEST_EVENT_BYTES, idleTimeoutMs = IDLE_TIMEOUT_MS } = options;
  const splitter = lineSplitter(longest);
  let quietSince = clock.now();
  // Only events are signs of life: empty lines, or one event that never ends, would keep a dead watch open for ever.
  const patience = (): number => idleTimeoutMs - (clock.now() - quietSince);

  for await (const chunk of stream.chunks(idleTimeoutMs, patience)) {
    let lines: Buffer[];
    try {
      lines = splitter.push(chunk);
    } catch (error) {
      if (error instanceof LineTooLong) throw protocolFault(asked, `an event is longer than ${longest} bytes`);
      throw error;
    }
    for (const line of lines) yield parseWatchLine(asked, line.toString("utf8"), type, namespace);
    // The time that a slow reader takes does not count as silence of the server.
    if (lines.length > 0) quietSince = clock.now();
  }
  if (splitter.rest().length > 0) throw protocolFault(asked, "the stream ended in the middle of an event");
}

function randomDuration(random: () => number): number {
  return Math.floor(SHORTEST_WATCH_S + random() * (LONGEST_WATCH_S - SHORTEST_WATCH_S));
}
