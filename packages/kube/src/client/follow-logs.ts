import type { Pod } from "kubernetes-types/core/v1.js";
import { sleep, systemClock, type Clock } from "@kindling/outside";
import { isKubeError, type KubeError } from "../errors/kube-error.ts";
import { isNotFound } from "../errors/status.ts";
import { isFields, type Fields } from "../fields.ts";
import { resources } from "../resources.ts";
import { createBackoff } from "../backoff.ts";
import type { KubeClient } from "./kube-client.ts";
import { isKubeletNotice } from "./kubelet-notice.ts";
import { logLinesAfter, logOptionsAfter, type LogPosition } from "./log-position.ts";
import type { LogOptions } from "./options.ts";
import { untilStuck } from "./until-stuck.ts";

export interface FollowLogsOptions extends Omit<LogOptions, "follow" | "previous" | "limitBytes"> {
  readonly clock?: Clock | undefined;
  readonly random?: (() => number) | undefined;
}

const BACKOFF = { baseMs: 250, capMs: 10_000, resetAfterMs: 30_000 };

/**
 * Follows a container's log line by line to the container's end. Where the connection breaks, or ends while the container is
 * still running (a kubelet that restarts ends it like that), or where a kubelet has lost the log's file, it continues after the last
 * line seen, and no line is lost or repeated. A container's last lines may be written only after the kubelet has ended the log, so
 * what is there then is read once more. A kubelet that says that it has no log is asked again too; its words are passed on only
 * if they are all that came. Rejects like `client.logs()` as long as nothing has been read; later only with `aborted`, or when the server
 * refuses for good.
 */
export async function* followLogs(
  client: KubeClient,
  pod: string,
  options: FollowLogsOptions = {},
): AsyncGenerator<string, void> {
  const { clock = systemClock, random = Math.random, timestamps = false, ...where } = options;
  const backoff = createBackoff({ ...BACKOFF, clock, random });
  let position: LogPosition | undefined;
  let hasBegun = false;
  let hasEnded = false;
  let notice: string | undefined;
  const isStuck = (): Promise<boolean> => hasMore(client, pod, where, position);
  for (;;) {
    try {
      const wanted = { ...where, follow: !hasEnded, timestamps: true };
      const stream = await client.logs(pod, logOptionsAfter(wanted, position));
      hasBegun = true;
      let isTimed = true;
      notice = undefined;
      const followed = { lines: () => untilStuck(stream, clock, isStuck) };
      for await (const line of logLinesAfter(followed, position)) {
        const { time, text, position: reached } = line;
        if (isKubeletNotice(line)) {
          notice = text;
          break;
        }
        isTimed = time !== undefined;
        position = reached;
        yield timestamps && time !== undefined ? `${time} ${text}` : text;
      }
      if (hasEnded) {
        if (notice !== undefined && position === undefined) yield notice;
        return;
      }
      hasEnded = !(await isRunning(client, pod, options));
      // Without times, nothing says where to go on.
      if (hasEnded && !isTimed) return;
      if (hasEnded && notice === undefined) continue;
    } catch (error) {
      if (!isKubeError(error) || !hasBegun) throw error;
      if (isNotFound(error)) return;
      if (!isPassing(error)) {
        // Everything has been followed, and the second look was not needed to say so.
        if (hasEnded && error.kind === "status") return;
        throw error;
      }
    }
    await sleep(clock, backoff.next(), options.signal);
  }
}

/** Whether a container's last line is later than what has been read. */
async function hasMore(
  client: KubeClient,
  pod: string,
  { namespace, container, signal }: LogOptions,
  position: LogPosition | undefined,
): Promise<boolean> {
  if (position === undefined) return false;
  try {
    const last = await client.logs(pod, { namespace, container, signal, tailLines: 1, timestamps: true });
    for await (const line of logLinesAfter(last, position)) if (line.position !== position) return true;
  } catch {
    // The log that is followed will tell what is wrong.
  }
  return false;
}

async function isRunning(client: KubeClient, pod: string, options: FollowLogsOptions): Promise<boolean> {
  const { namespace, signal, container } = options;
  let found: Pod;
  try {
    found = await client.get(resources.pods, pod, { namespace, signal });
  } catch (error) {
    // The pod is gone, or reading it is not allowed: then the end of the log is taken as the end of the container.
    if (isKubeError(error) && error.kind === "status" && error.status < 500) return false;
    throw error;
  }
  const statuses = [...listed(found.status?.containerStatuses), ...listed(found.status?.initContainerStatuses)];
  const status = container === undefined ? statuses[0] : statuses.find((one) => one["name"] === container);
  return isFields(status?.["state"]) && isFields(status["state"]["running"]);
}

/** The objects of a list that a server should have sent as one. */
function listed(list: unknown): Fields[] {
  return Array.isArray(list) ? list.filter(isFields) : [];
}

function isPassing(error: KubeError): boolean {
  if (error.kind === "status") return error.status >= 500 || error.status === 429;
  return error.kind === "unreachable" || error.kind === "timeout" || error.kind === "protocol";
}
