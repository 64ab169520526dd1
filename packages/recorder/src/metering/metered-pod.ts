import { podLifeOf, type KindOfNode } from "../cluster/pod-life-of.ts";
import { hasEnded, type SparkPod } from "../cluster/spark-pod.ts";
import type { Clock } from "@kindling/outside";

/** How long a pod has held its room on a node, as far as it is counted here. */
export interface MeteredPod {
  readonly cores: number;
  readonly memory: number;
  readonly spot: boolean;
  /** So many milliseconds were counted under other labels. */
  readonly counted: number;
  /** Milliseconds until now. */
  readonly elapsed: () => number;
}

export interface MeterClock {
  readonly clock: Pick<Clock, "now" | "monotonic">;
  readonly kindOf: KindOfNode;
  /** What was before is counted already, milliseconds since the epoch. */
  readonly from: number;
}

/** A pod that holds its room. Its time goes on by a clock that nobody sets. */
export function runningPod(pod: SparkPod, { clock, kindOf, from }: MeterClock): MeteredPod {
  const { started, ended, spot } = podLifeOf(pod, kindOf, clock.now());
  const until = hasEnded(pod) ? ended : clock.now();
  const atSight = started === undefined ? 0 : Math.max(0, until - Math.max(started, from));
  const seen = clock.monotonic();
  const isRunning = started !== undefined && !hasEnded(pod);
  const elapsed = (): number => atSight + (isRunning ? clock.monotonic() - seen : 0);
  return { cores: pod.cores, memory: pod.memory, spot, counted: 0, elapsed };
}

/** The same pod, whose time does not go on: it has ended or is gone. */
export function stoppedPod(pod: MeteredPod): MeteredPod {
  const elapsed = pod.elapsed();
  return { ...pod, elapsed: () => elapsed };
}
