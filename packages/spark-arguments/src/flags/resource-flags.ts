import { conf, inSection, launcherConf, type Flag } from "./flag.ts";

/** The resources of driver and executors. */
export const RESOURCE_FLAGS: readonly Flag[] = inSection("resources", [
  {
    name: "--driver-memory",
    value: "SIZE",
    effect: launcherConf("spark.driver.memory"),
    help: "the driver's heap, such as 2g (default 1g)",
  },
  {
    name: "--driver-cores",
    value: "N",
    effect: conf("spark.driver.cores"),
    help: "the driver's cores (default 1)",
  },
  {
    name: "--driver-java-options",
    value: "OPTIONS",
    effect: launcherConf("spark.driver.extraJavaOptions"),
    help: "JVM options of the driver",
  },
  {
    name: "--driver-library-path",
    value: "PATH",
    effect: launcherConf("spark.driver.extraLibraryPath"),
    help: "library path entries of the driver",
  },
  {
    name: "--driver-class-path",
    value: "PATH",
    effect: launcherConf("spark.driver.extraClassPath"),
    help: "class path entries of the driver, before all others",
  },
  {
    name: "--driver-default-class-path",
    value: "PATH",
    effect: launcherConf("spark.driver.defaultExtraClassPath"),
    from: "default-class-path",
    help: "class path entries of the driver, behind those; for an administrator to set",
  },
  {
    name: "--executor-memory",
    value: "SIZE",
    effect: conf("spark.executor.memory"),
    help: "each executor's heap (default 1g)",
  },
  {
    name: "--executor-cores",
    value: "N",
    effect: conf("spark.executor.cores"),
    help: "tasks that each executor runs at a time (default 1)",
  },
  {
    name: "--num-executors",
    value: "N",
    effect: conf("spark.executor.instances"),
    help: "how many executors (default 2)",
  },
]);
