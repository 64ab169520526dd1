export { applicationOf, type MadeApplication } from "./applications.ts";
export { applyDefinitions } from "./definitions.ts";
export { observe, type Observer } from "./observer.ts";
export { type RunningOperator, startKindling, startStock, type StockOperator } from "./operators.ts";
