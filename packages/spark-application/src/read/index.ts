export { withDefaults } from "./defaults.ts";
export { readScheduledSparkApplication, readSparkApplication } from "./read.ts";
export { isJsonObject } from "../shapes/read-shape.ts";
