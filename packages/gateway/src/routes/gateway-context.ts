import type { KubeClient } from "@kindling/kube";
import type { Outside } from "@kindling/outside";
import type { WaitingRoom } from "../admission/waiting-room.ts";
import type { Applications } from "../applications/applications.ts";
import type { ExecutorLimits } from "../pods/check-executor.ts";
import type { ExecutorMaker } from "../pods/executor-maker.ts";

/** What the routes work on. */
export interface GatewayContext extends Pick<Outside, "clock"> {
  readonly client: KubeClient;
  readonly applications: Applications;
  readonly waitingRoom: WaitingRoom;
  readonly maker: ExecutorMaker;
  readonly limits: ExecutorLimits;
  readonly mostWatches: number;
}
