import { sparkVersionOf, type Versioned } from "@kindling/core-spec";

interface Row extends Versioned {
  readonly option: string;
}

const opens = (...packages: readonly string[]): Row[] =>
  packages.map((name) => ({ option: `--add-opens=${name}=ALL-UNNAMED` }));

// JavaModuleOptions of spark-launcher, of each known release: the JVM options that Spark's own code needs.
const MODULE_OPTIONS: readonly Row[] = [
  { option: "-XX:+IgnoreUnrecognizedVMOptions" },
  { option: "--add-modules=jdk.incubator.vector", from: "incubating-vectors" },
  ...opens(
    "java.base/java.lang",
    "java.base/java.lang.invoke",
    "java.base/java.lang.reflect",
    "java.base/java.io",
    "java.base/java.net",
    "java.base/java.nio",
    "java.base/java.util",
    "java.base/java.util.concurrent",
    "java.base/java.util.concurrent.atomic",
    "java.base/jdk.internal.ref",
    "java.base/sun.nio.ch",
    "java.base/sun.nio.cs",
    "java.base/sun.security.action",
    "java.base/sun.util.calendar",
    "java.security.jgss/sun.security.krb5",
  ),
  { option: "-Djdk.reflect.useDirectMethodHandle=false", before: "direct-method-handles" },
  { option: "-Dio.netty.tryReflectionSetAccessible=true", from: "netty-reflection" },
  { option: "-Dio.netty.allocator.type=pooled", from: "netty-own-settings" },
  { option: "-Dio.netty.handler.ssl.defaultEndpointVerificationAlgorithm=NONE", from: "netty-own-settings" },
  { option: "--sun-misc-unsafe-memory-access=allow", from: "unsafe-memory-access" },
  { option: "--enable-native-access=ALL-UNNAMED", from: "native-access" },
];

/**
 * The configuration that executors are built from: what a driver starts with, and what it adds at its start that affects an
 * executor's pod (SparkContext.supplementJavaModuleOptions and supplementJavaIPv6Options).
 *
 * @param entries what the driver starts with
 */
export function runningDriverConf(
  entries: Readonly<Record<string, string>>,
  sparkVersion: string,
): Record<string, string> {
  const key = "spark.executor.extraJavaOptions";
  const version = sparkVersionOf(sparkVersion);
  const modules = MODULE_OPTIONS.filter((row) => version.holds(row)).map((row) => row.option);
  // In older versions, each of the two additions also put the default options in front of the value.
  const defaults = version.has("default-java-options-once") ? undefined : entries["spark.executor.defaultJavaOptions"];
  const options = ["-Djava.net.preferIPv6Addresses=false", defaults, ...modules, defaults, entries[key]];
  return { ...entries, [key]: options.filter((option) => option !== undefined).join(" ") };
}
