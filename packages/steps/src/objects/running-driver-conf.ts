import { isAtLeast, isWithin, type VersionSpan } from "@kindling/core-spec";

interface Row extends VersionSpan {
  readonly option: string;
}

const opens = (...packages: readonly string[]): Row[] =>
  packages.map((name) => ({ option: `--add-opens=${name}=ALL-UNNAMED` }));

// JavaModuleOptions of spark-launcher, 3.5.9 to 4.3.0: what Spark's own code needs of the JVM.
const MODULE_OPTIONS: readonly Row[] = [
  { option: "-XX:+IgnoreUnrecognizedVMOptions" },
  { option: "--add-modules=jdk.incubator.vector", since: "4.0" },
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
  { option: "-Djdk.reflect.useDirectMethodHandle=false", until: "4.2" },
  { option: "-Dio.netty.tryReflectionSetAccessible=true", since: "4.0" },
  { option: "-Dio.netty.allocator.type=pooled", since: "4.1" },
  { option: "-Dio.netty.handler.ssl.defaultEndpointVerificationAlgorithm=NONE", since: "4.1" },
  { option: "--sun-misc-unsafe-memory-access=allow", since: "4.2" },
  { option: "--enable-native-access=ALL-UNNAMED", since: "4.1" },
];

/**
 * The configuration that executors are built from: what a driver starts with, and what it adds while it starts that
 * shows in an executor's pod (SparkContext.supplementJavaModuleOptions and supplementJavaIPv6Options).
 *
 * @param entries what the driver starts with
 */
export function runningDriverConf(
  entries: Readonly<Record<string, string>>,
  sparkVersion: string,
): Record<string, string> {
  const key = "spark.executor.extraJavaOptions";
  const modules = MODULE_OPTIONS.filter((row) => isWithin(sparkVersion, row)).map((row) => row.option);
  // Until 4.1 each of the two additions took what it added to with the default options in front of it.
  const defaults = isAtLeast(sparkVersion, "4.1") ? undefined : entries["spark.executor.defaultJavaOptions"];
  const options = ["-Djava.net.preferIPv6Addresses=false", defaults, ...modules, defaults, entries[key]];
  return { ...entries, [key]: options.filter((option) => option !== undefined).join(" ") };
}
