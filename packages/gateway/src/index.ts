export {
  type Admission,
  type AdmissionDecision,
  type AdmissionSnapshot,
  admitAll,
  type RequestedPod,
} from "./admission/admission.ts";
export type { GatewayConfig, GatewayKeyName } from "./config/gateway-config.ts";
export { GATEWAY_KEYS } from "./config/gateway-keys.ts";
export { loadConfig } from "./config/load-config.ts";
export type {
  ApplicationOverview,
  ApplicationState,
  CapacityOverview,
  ExecutorCounts,
  Overview,
  QueueOverview,
} from "./overview/overview.ts";
export { type ApplicationNames, overviewOf, type OverviewInput } from "./overview/overview-of.ts";
export { type Gateway, type GatewayOptions, startGateway } from "./server/gateway.ts";
export type { LogDestination } from "./log/json-log.ts";
