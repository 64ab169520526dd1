import { setMaxListeners } from "node:events";
import type { Clock } from "@kindling/outside";
import { type AskedPod, MOST_ASKED_PODS, type PodEndsAnswer, type PodEndsQuestion } from "@kindling/recorder-client";
import { OwnCounts } from "@kindling/service";
import type { FastifyInstance } from "fastify";
import { callerOf } from "../http/caller.ts";
import { ProblemError } from "../http/problem.ts";
import type { Reader } from "../http/readers.ts";
import type { RunningRecorder } from "../start-recorder.ts";

export interface PodEndsRouteOptions {
  readonly clock: Clock;
  readonly podEnd: RunningRecorder["podEnd"];
}

/** The gateway deletes a pod 5 s after its driver's request at the latest. */
const LONGEST_MS = 4_000;
/** When the first end is known, those that come within this time go with the same answer. */
const OTHERS_MS = 250;
/** Each pod that is asked about takes memory until the answer. One caller may ask about so many at once. */
const MOST_WAITING = 20_000;
const BODY_BYTES = MOST_ASKED_PODS * 1024;

const NAME = { type: "string", minLength: 1, maxLength: 253 };
const POD = {
  type: "object",
  required: ["namespace", "name", "uid"],
  properties: { namespace: NAME, name: NAME, uid: NAME, running: { const: true } },
};
const BODY = {
  type: "object",
  required: ["pods"],
  properties: {
    pods: { type: "array", maxItems: MOST_ASKED_PODS, items: POD },
    waitFor: { type: "string", enum: ["all", "some"] },
  },
};

/**
 * Answers when the ends of executors are recorded, or when the logs of those that run are followed: then their pods may be deleted.
 * Only for those who may delete pods.
 */
export function podEndsRoute(app: FastifyInstance, { clock, podEnd }: PodEndsRouteOptions): void {
  const waiting = new OwnCounts();
  app.post("/api/v1/pods/ends", {
    schema: { body: BODY },
    bodyLimit: BODY_BYTES,
    async handler(request, reply): Promise<PodEndsAnswer> {
      const caller = callerOf(request);
      const { pods, waitFor } = request.body as PodEndsQuestion;
      await checkRights(caller, pods);
      const leave = enter(waiting, caller, pods.length);
      const enough = new AbortController();
      setMaxListeners(0, enough.signal);
      const cancels = [clock.after(LONGEST_MS, () => enough.abort())];
      reply.raw.once("close", () => enough.abort());
      let isEarly = false;
      const some = (): void => {
        if (waitFor !== "some" || cancels.length > 1 || enough.signal.aborted) return;
        cancels.push(
          clock.after(OTHERS_MS, () => {
            isEarly = !enough.signal.aborted;
            enough.abort();
          }),
        );
      };
      try {
        const ends = pods.map(async (pod) => {
          const end = await recorded(podEnd(pod, enough.signal));
          some();
          return { uid: pod.uid, end };
        });
        const known = await Promise.all(ends);
        return { pods: isEarly ? known.map(({ uid, end }) => ({ uid, end: end === "unread" ? "open" : end })) : known };
      } finally {
        for (const cancel of cancels) cancel();
        leave();
      }
    },
  });
}

async function recorded<T>(end: Promise<T> | undefined): Promise<T> {
  if (end === undefined) throw new ProblemError("unavailable", "this recorder has not begun to record");
  return await end;
}

async function checkRights(caller: Reader, pods: readonly AskedPod[]): Promise<void> {
  for (const namespace of new Set(pods.map((pod) => pod.namespace))) {
    if (await caller.mayDelete(namespace)) continue;
    throw new ProblemError("forbidden", `${caller.subject} may not delete the pods of namespace ${namespace}`, {
      hint: "only who may delete pods, as the gateway may, has to know when their ends are recorded",
    });
  }
}

function enter(waiting: OwnCounts, { subject }: Reader, count: number): () => void {
  if (waiting.of(subject) + count > MOST_WAITING)
    throw new ProblemError("overloaded", `you ask about more than ${MOST_WAITING} pods at once`);
  return waiting.add(subject, count);
}
