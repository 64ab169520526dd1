import type { KubeClient } from "@kindling/kube";
import type { Outside } from "@kindling/outside";
import type { Dispatcher } from "../../admission/dispatcher.ts";
import type { Applications } from "../../views/applications/applications.ts";
import type { Door } from "../door/door.ts";
import type { EarlyExecutors } from "../../controllers/early-executors/early-executors.ts";
import type { LetGo } from "../../cluster/let-go.ts";
import type { ExecutorSteps } from "../../controllers/executors/steps/executor-steps.ts";
import type { MemoryHealing } from "../../controllers/memory-healing/memory-healing.ts";
import type { ExecutorLimits } from "../../checks/check-executor.ts";
import type { Holding } from "./held-pods.ts";
import type { BodyLine } from "../memory/body-line.ts";
import type { BodyLimits } from "../memory/driver-body.ts";
import type { MadeObjects } from "../objects/made-objects.ts";
import type { ExecutorMaker } from "../../controllers/executors/executor-maker.ts";

/** What the routes work on. */
export interface GatewayContext extends Pick<Outside, "clock"> {
  readonly client: KubeClient;
  readonly applications: Applications;
  /** Told when an executor waits for its admission, and asked whether an executor may be resized. */
  readonly admission: Pick<Dispatcher, "changed" | "resize">;
  readonly maker: ExecutorMaker;
  readonly door: Door;
  /** Lets executors go whose pods stay for their shuffle files. */
  readonly letGo: Pick<LetGo, "canStay" | "byDriver">;
  /** Holds the deletions of ended executors' pods. */
  readonly held: Holding;
  readonly executorSteps: ExecutorSteps;
  readonly early: Pick<EarlyExecutors, "hand" | "passed">;
  readonly healing: Pick<MemoryHealing, "sized" | "settled">;
  readonly limits: ExecutorLimits;
  readonly mostWatches: number;
  readonly mostClaims: number;
  /** Limits for bodies: those of ConfigMaps, and all others. */
  readonly bodyLimits: { readonly configMap: BodyLimits; readonly other: BodyLimits };
  readonly bodies: BodyLine;
  readonly made: MadeObjects;
}
