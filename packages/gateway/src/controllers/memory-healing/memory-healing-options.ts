import type { EventRecorder } from "@kindling/controller";
import type { KubeObject } from "@kindling/kube-objects";
import type { Clock } from "@kindling/outside";
import type { Log } from "@kindling/service";
import type { LetGo } from "../../cluster/let-go.ts";
import type { MemoryCause } from "../../healing/memory-end.ts";
import type { MemoryLimit } from "../../healing/memory-words.ts";
import type { Application } from "../../views/applications/application.ts";
import type { Applications } from "../../views/applications/applications.ts";

/** What became of an executor that ended for lack of memory, for metrics. */
export type HealingOutcome = "grown" | "fewer-tasks" | "known" | "exhausted";

export interface MemoryHealingOptions {
  readonly clock: Clock;
  readonly log: Log;
  readonly events: Pick<EventRecorder, "tell">;
  readonly applications: Pick<Applications, "subscribe">;
  /** All pods in the cluster that belong to the driver. */
  readonly podsOf: (application: Application) => readonly KubeObject[];
  /** A pod as the cluster has it now. */
  readonly pod: (namespace: string, name: string) => KubeObject | undefined;
  /** What limits the memory of an executor, besides the wish of its user. */
  readonly roomOf: (application: Application, executor: KubeObject) => readonly MemoryLimit[];
  /** Whether something else has decided on the size of an application's executors, and it cannot change. */
  readonly isFixed: (driver: KubeObject) => boolean;
  /** Lets executors go whose pods stay for their shuffle files. */
  readonly letGo: Pick<LetGo, "canStay" | "byDriver">;
  /** Executors that wait have another size now. */
  readonly onGrown: () => void;
  readonly onOutcome: (cause: MemoryCause, outcome: HealingOutcome) => void;
}
