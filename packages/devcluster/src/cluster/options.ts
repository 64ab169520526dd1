import type { LogLimits } from "@kindling/api-server";
import { type Random, systemRandom } from "@kindling/outside";
import { type Clock, backgroundClock } from "@kindling/outside";
import { HollowRuntime } from "../runtime/hollow/hollow-runtime.ts";
import type { Script } from "../runtime/hollow/script.ts";
import type { NodeCapacity, Runtime } from "../runtime/runtime.ts";

/** A node of the cluster. Default for missing values: as the runtime has them. */
export interface NodeOptions {
  readonly name?: string;
  readonly cpu?: string;
  readonly memory?: string;
  readonly pods?: string;
  readonly labels?: Readonly<Record<string, string>>;
  /** The id of the machine at its provider, as `spec.providerID`. */
  readonly providerId?: string;
  readonly taints?: readonly { readonly key: string; readonly value?: string; readonly effect: string }[];
}

/** How to start a cluster. Every option has a default that is suitable for tests. */
export interface DevClusterOptions {
  /** The address to listen on. Default: 127.0.0.1. */
  readonly host?: string;
  /** The port to listen on. Default: any free port. */
  readonly port?: number;
  /** Whether to use HTTPS, with its own CA. Default: plain HTTP. */
  readonly tls?: boolean;
  /** Nodes, or their number. Default: one. */
  readonly nodes?: number | readonly NodeOptions[];
  /** The runtime of the pods. Default: `hollow`, which only pretends to run them. */
  readonly runtime?: "hollow" | Runtime;
  /** What hollow containers do; annotations of their pods win over it. */
  readonly script?: Script;
  /** Whether roles and bindings decide what users may do. Default: every user may do everything. */
  readonly authorization?: "none" | "rbac";
  /** The user of requests without credentials. Default: the administrator over plain HTTP, nobody over HTTPS. */
  readonly anonymous?: "nobody" | "admin";
  /** The administrator's token. Default: a random one. */
  readonly token?: string;
  readonly clock?: Clock;
  readonly random?: Random;
  /** How much history watches can go back, per resource. Default: 10,000 changes or 32 MiB. */
  readonly history?: Partial<LogLimits>;
}

/** A node with all defaults filled in. */
export interface ResolvedNode extends NodeOptions {
  readonly name: string;
  readonly capacity: NodeCapacity;
}

/** The options with all defaults filled in. */
export interface ResolvedOptions {
  readonly host: string;
  readonly port: number;
  readonly tls: boolean;
  readonly nodes: readonly ResolvedNode[];
  readonly runtime: Runtime;
  readonly authorization: "none" | "rbac";
  readonly anonymous: "nobody" | "admin";
  readonly token: string;
  readonly clock: Clock;
  readonly random: Random;
  readonly history: Partial<LogLimits>;
}

/** Fills in the defaults. */
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
    nodes: list.map((node, index) => resolveNode(node, node.name ?? `node-${index + 1}`, runtime)),
    runtime,
    authorization: options.authorization ?? "none",
    anonymous: options.anonymous ?? (tls ? "nobody" : "admin"),
    token: options.token ?? Buffer.from(random.bytes(24)).toString("base64url"),
    clock,
    random,
    history: options.history ?? {},
  };
}

/** Fills in what the runtime has. */
export function resolveNode(node: NodeOptions, name: string, { capacity }: Pick<Runtime, "capacity">): ResolvedNode {
  const { cpu = capacity.cpu, memory = capacity.memory, pods = capacity.pods } = node;
  return { ...node, name, capacity: { cpu, memory, pods, ephemeralStorage: capacity.ephemeralStorage } };
}
