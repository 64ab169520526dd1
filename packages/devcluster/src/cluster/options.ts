import type { LogLimits } from "@kindling/api-server";
import { type Random, systemRandom } from "@kindling/outside";
import { type Clock, backgroundClock } from "@kindling/outside";
import { HollowRuntime } from "../runtime/hollow/hollow-runtime.ts";
import type { Script } from "../runtime/hollow/script.ts";
import type { NodeCapacity, Runtime } from "../runtime/runtime.ts";

/** A node of the cluster; what is left out is as the runtime has it. */
export interface NodeOptions {
  readonly name?: string;
  readonly cpu?: string;
  readonly memory?: string;
  readonly pods?: string;
  readonly labels?: Readonly<Record<string, string>>;
  readonly taints?: readonly { readonly key: string; readonly value?: string; readonly effect: string }[];
}

/** How to start a cluster. Everything has a default that is good for tests. */
export interface DevClusterOptions {
  /** The address to listen on; 127.0.0.1. */
  readonly host?: string;
  /** The port to listen on; any free one. */
  readonly port?: number;
  /** Whether to speak HTTPS, with an authority of its own; plain HTTP. */
  readonly tls?: boolean;
  /** Nodes, or how many; one. */
  readonly nodes?: number | readonly NodeOptions[];
  /** What runs the pods; `hollow` only pretends. */
  readonly runtime?: "hollow" | Runtime;
  /** What hollow containers do; their annotations count more. */
  readonly script?: Script;
  /** Whether roles and bindings decide what users may do; without it every user may do everything. */
  readonly authorization?: "none" | "rbac";
  /** Who requests without credentials come from: the administrator over plain HTTP, nobody over HTTPS. */
  readonly anonymous?: "nobody" | "admin";
  /** The administrator's token; a random one. */
  readonly token?: string;
  readonly clock?: Clock;
  readonly random?: Random;
  /** How much history watches can go back, per resource: 10,000 changes or 32 MiB. */
  readonly history?: Partial<LogLimits>;
}

/** The options with nothing left out. */
export interface ResolvedOptions {
  readonly host: string;
  readonly port: number;
  readonly tls: boolean;
  readonly nodes: readonly (NodeOptions & { readonly name: string; readonly capacity: NodeCapacity })[];
  readonly runtime: Runtime;
  readonly authorization: "none" | "rbac";
  readonly anonymous: "nobody" | "admin";
  readonly token: string;
  readonly clock: Clock;
  readonly random: Random;
  readonly history: Partial<LogLimits>;
}

/** Fills in what was left out. */
export function resolveOptions(options: DevClusterOptions): ResolvedOptions {
  const clock = options.clock ?? backgroundClock;
  const random = options.random ?? systemRandom();
  const script = options.script === undefined ? {} : { script: options.script };
  const runtime =
    options.runtime === undefined || options.runtime === "hollow"
      ? new HollowRuntime({ clock, random, ...script })
      : options.runtime;
  const tls = options.tls ?? false;
  const { nodes = 1 } = options;
  const list: readonly NodeOptions[] = typeof nodes === "number" ? Array.from({ length: nodes }, () => ({})) : nodes;
  return {
    host: options.host ?? "127.0.0.1",
    port: options.port ?? 0,
    tls,
    nodes: list.map((node, index) => ({
      ...node,
      name: node.name ?? `node-${index + 1}`,
      capacity: {
        cpu: node.cpu ?? runtime.capacity.cpu,
        memory: node.memory ?? runtime.capacity.memory,
        pods: node.pods ?? runtime.capacity.pods,
        ephemeralStorage: runtime.capacity.ephemeralStorage,
      },
    })),
    runtime,
    authorization: options.authorization ?? "none",
    anonymous: options.anonymous ?? (tls ? "nobody" : "admin"),
    token: options.token ?? Buffer.from(random.bytes(24)).toString("base64url"),
    clock,
    random,
    history: options.history ?? {},
  };
}
