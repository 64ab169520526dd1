import { fairPool, tokenBuckets } from "@kindling/service";
import { MOST_LINGERING } from "../http/answer-early.ts";
import { requestTurns } from "../http/request-turns.ts";
import { chunkReleaser } from "../memory/chunk-releaser.ts";
import type { ServerContext } from "../routes/server-context.ts";
import { transferGates } from "../http/transfer-gates.ts";
import type { Assembly } from "./assembly.ts";

/** How many requests and transfers may run at once, and which one is next. */
export type RequestLimits = Pick<
  ServerContext,
  "documentMemory" | "gates" | "lingering" | "receiveBudget" | "requests" | "strangers" | "turns"
>;

const STRANGER_BURST_SECONDS = 5;

export function requestLimits({ config, plan, clock, random }: Assembly): RequestLimits {
  return {
    gates: transferGates(
      {
        uploads: config["limits.uploads"],
        uploadsPerClient: config["limits.uploadsPerClient"],
        downloads: config["limits.downloads"],
      },
      random,
    ),
    requests: fairPool({ total: plan.requests, factor: 1 }),
    documentMemory: fairPool({ total: plan.memory.documents, factor: 1 }),
    turns: requestTurns(() => clock.monotonic()),
    strangers: tokenBuckets({
      clock,
      perSecond: config["limits.strangerRate"],
      burstSeconds: STRANGER_BURST_SECONDS,
      clientsInAll: 10,
    }),
    lingering: { clock, places: fairPool({ total: MOST_LINGERING, factor: 1 }), release: chunkReleaser() },
    receiveBudget: { bytes: config["limits.receiveBuffer"], active: 0 },
  };
}
