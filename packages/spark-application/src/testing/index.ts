export { aSparkApplication, type SparkApplicationBuilder } from "./a-spark-application.ts";
export { aSparkConnect } from "./a-spark-connect.ts";
export { applicationWith } from "./application-with.ts";
export { SPEC } from "../spec/application-spec.ts";
export { pathsInto, pathText, wrongValues, type Step } from "./every-field.ts";
