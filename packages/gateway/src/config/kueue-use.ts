import type { GatewayConfig } from "./gateway-keys.ts";

/** Which applications wait in LocalQueues of Kueue: none, those that name one, or all. */
export type KueueUse = "none" | "named" | "all";

/** Which applications wait there with this configuration. */
export function kueueUseOf(config: Pick<GatewayConfig, "capacity" | "kueue.enabled">): KueueUse {
  if (config.capacity.kind === "kueue") return "all";
  return config["kueue.enabled"] ? "named" : "none";
}
