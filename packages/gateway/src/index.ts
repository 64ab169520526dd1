export type { Policy } from "./admission/dispatcher.ts";
export type { CapacitySetting } from "./config/capacity-setting.ts";
export type { GatewayConfig, GatewayKeyName } from "./config/gateway-config.ts";
export { GATEWAY_KEYS } from "./config/gateway-keys.ts";
export { loadConfig } from "./config/load-config.ts";
export { type Gateway, type GatewayOptions, startGateway } from "./server/gateway.ts";
export type { LogDestination } from "@kindling/service";
