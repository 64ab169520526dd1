export type { Policy } from "./admission/dispatcher.ts";
export type { CapacitySetting } from "./config/capacity-setting.ts";
export { GATEWAY_KEYS, type GatewayConfig, type GatewayKeyName } from "./config/gateway-keys.ts";
export { loadConfig } from "./config/load-config.ts";
export { type Gateway, type GatewayOptions, startGateway } from "./server/gateway.ts";
export type { LogDestination } from "@kindling/service";
