export { createRedactor, type Redactor } from "@kindling/core-spec";
