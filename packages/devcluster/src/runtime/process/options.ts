import { availableParallelism, totalmem } from "node:os";
import { type Clock, backgroundClock } from "@kindling/outside";
import { type Random, systemRandom } from "@kindling/outside";
import type { NodeCapacity } from "../runtime.ts";
import type { ImageSource } from "./process-image.ts";

/** How to run containers as processes of this machine. */
export interface ProcessRuntimeOptions {
  /** Where images come from, asked in this order. */
  readonly images: readonly ImageSource[];
  /**
   * The folder for volumes, logs and the output of containers. Only one cluster at a time can use it; it is cleaned up from
   * an earlier cluster. Default: a new temporary folder, which is removed when the runtime is closed.
   */
  readonly stateFolder?: string;
  /** Folders and files of this machine that all containers see in the same place, such as a Java home in `/opt`. */
  readonly hostMounts?: readonly string[];
  /**
   * The first two numbers of the pods' addresses, such as `127.64`; those of services have the next number. They must be in
   * 127.0.0.0/8. Default: the first pair that no other cluster of this machine uses.
   */
  readonly addresses?: string;
  /**
   * The resources of the node. Default: all memory of this machine, and more processors than it has, because a waiting
   * process leaves its processor to another.
   */
  readonly capacity?: Partial<NodeCapacity>;
  readonly clock?: Clock;
  readonly random?: Random;
}

/** The options with all defaults filled in. */
export interface ResolvedProcessOptions {
  readonly images: readonly ImageSource[];
  readonly stateFolder: string | undefined;
  readonly hostMounts: readonly string[];
  readonly addresses: string | undefined;
  readonly capacity: NodeCapacity;
  readonly clock: Clock;
  readonly random: Random;
}

const PROCESSORS_FACTOR = 8;

export function resolveProcessOptions(options: ProcessRuntimeOptions): ResolvedProcessOptions {
  const memory = Math.floor(totalmem() / 1024);
  return {
    images: options.images,
    stateFolder: options.stateFolder,
    hostMounts: options.hostMounts ?? [],
    addresses: options.addresses,
    capacity: {
      cpu: String(availableParallelism() * PROCESSORS_FACTOR),
      memory: `${memory}Ki`,
      pods: "250",
      ephemeralStorage: "1000Gi",
      ...options.capacity,
    },
    clock: options.clock ?? backgroundClock,
    random: options.random ?? systemRandom(),
  };
}
