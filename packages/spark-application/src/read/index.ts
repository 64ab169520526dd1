export { withDefaults } from "./defaults.ts";
export { readScheduledSparkApplication, readSparkApplication, readSparkConnect } from "./read.ts";
export { isJsonObject } from "../shapes/read-shape.ts";
