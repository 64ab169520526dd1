// What a gateway tells
export { amountsText, amountText, compareResources, type Amounts } from "./amounts.ts";
export type {
  ApplicationOverview,
  ApplicationState,
  CapacityOverview,
  DriverOverview,
  ExecutorCounts,
  NodeClassOverview,
  Overview,
  QueueOverview,
  ToComeOverview,
} from "./overview.ts";
export { toComeLines } from "./to-come-lines.ts";
export { OVERVIEW_VERSION, overviewDocument } from "./overview-document.ts";

// Reading it
export type { GatewayOverview, QueuedApplication, QueueReport } from "./gateway-overview.ts";
export { parseGatewayPlace, shownPlace, USUAL_GATEWAY, type GatewayPlace } from "./gateway-place.ts";
export { readOverview } from "./read-overview.ts";
export { changedDrivers, driverKey, eitherOf, promisesOf, type DriverPromises, type Promises } from "./promises.ts";

// What runs of an application needed
export {
  formatMemoryRuns,
  memoryRunsName,
  MEMORY_RUNS_ENTRY,
  MOST_MEMORY_RUNS,
  parseMemoryRuns,
  proposeMemory,
  type MemoryProposal,
  type MemoryRun,
  type MemorySize,
} from "./memory-runs.ts";
