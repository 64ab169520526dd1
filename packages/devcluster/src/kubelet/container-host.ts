import type { Clock } from "@kindling/outside";
import type { Pod } from "../objects/pod.ts";
import type { Variable } from "../objects/variable.ts";
import type { PodSources, PulledImage, Sandbox } from "../runtime/runtime.ts";
import type { Stopper } from "./stopper.ts";

/** What the runs of one container need. */
export interface ContainerHost {
  readonly clock: Clock;
  readonly pod: () => Pod;
  readonly sandbox: Sandbox;
  readonly stopper: Stopper;
  readonly nodeAllocatable: () => Readonly<Record<string, string>>;
  readonly sources: PodSources;
  readonly serviceVariables: () => Variable[];
  readonly report: () => void;
  readonly event: (type: "Normal" | "Warning", reason: string, message: string) => void;
  readonly pull: () => Promise<PulledImage>;
  readonly onStarted: () => void;
}
