// Applications with random values in every field of the spec, mainly in the fields that become arguments of spark-submit. The
// same seed gives the same applications.
import type { Volume } from "@kindling/core-spec";
import type { SparkApplication, SparkPodSpec } from "@kindling/spark-application";
import { type Draw, drawing, withoutUnset } from "../drawing.ts";
import { generatedApplication } from "../pods/generated-applications.ts";

/** Values that people write there, with some wrong ones. */
const SPARK_VERSIONS = "4.0.4 4.0.4 3.5 2.4.8 3.0.0-preview2 3.0.0 v3 3.0.0+x latest 03.5.0".split(" ");

/** An application that is not stored yet. Its sparkConf often has other values than its fields. */
export function generatedSpec(seed: number): SparkApplication {
  const draw = drawing(seed + 1_000_000);
  const { below, one, oneOf, maybe, some } = draw;
  // The stock webhook's changes to pods must not become arguments.
  const { metadata, spec, ...application } = generatedApplication(seed);
  const volumes = scratchVolumes(draw);
  return withoutUnset({
    ...application,
    metadata: { ...metadata, labels: labels(draw, ["team", "kueue.x-k8s.io/queue-name", "role", "of/object"]) },
    spec: {
      ...spec,
      type: one("Java", "Scala", "Python", "R"),
      mode: one(undefined, undefined, "cluster", "client"),
      sparkVersion: oneOf(SPARK_VERSIONS),
      proxyUser: maybe(0.2, () => one("somebody", "")),
      image: maybe(0.7, () => one("spark:4.0.4", "registry.example.com:5000/spark@sha256:00", "")),
      imagePullPolicy: maybe(0.3, () => one("Always", "IfNotPresent", "")),
      imagePullSecrets: maybe(0.3, () => some(3, (index) => one(`pull-${index}`, ""))),
      mainClass: maybe(0.6, () => one("org.example.Main", "")),
      mainApplicationFile: one("local:///opt/app.jar", "s3a://bucket/a b.py", "https://example.com/app.R"),
      arguments: maybe(0.6, () => some(5, () => one("10", "", "--conf", "a=b c", "$(X)", "'\"", "é"))),
      sparkConf: maybe(0.8, () => sparkConf(draw)),
      hadoopConf: maybe(0.4, () => labels(draw, ["fs.s3a.endpoint", "a b", "c"])),
      nodeSelector: maybe(0.2, () => labels(draw, ["zone", "example.com/pool"])),
      pythonVersion: maybe(0.2, () => one("2", "3")),
      memoryOverheadFactor: maybe(0.2, () => one("0.2", "0", "")),
      restartPolicy: maybe(0.7, () => ({ type: one(undefined, "Never", "OnFailure", "Always") })),
      deps: maybe(0.6, () => dependencies(draw)),
      dynamicAllocation: maybe(0.3, () => ({
        enabled: one(true, true, false, undefined),
        initialExecutors: maybe(0.5, () => below(6)),
        minExecutors: maybe(0.5, () => below(6)),
        maxExecutors: maybe(0.5, () => below(60)),
        shuffleTrackingEnabled: maybe(0.5, () => one(true, false)),
        shuffleTrackingTimeout: maybe(0.3, () => one(0, 60_000, 3_600_000_000)),
      })),
      volumes: [...(spec.volumes ?? []).filter(({ name }) => !name.startsWith("spark-local-dir-")), ...volumes],
      driver: {
        ...role(draw, spec.driver, volumes),
        podName: maybe(0.2, () => one("own-driver", "")),
        kubernetesMaster: maybe(0.2, () => one("k8s://https://10.0.0.1", "")),
        serviceLabels: maybe(0.3, () => labels(draw, ["of/service", "role"])),
        serviceAnnotations: maybe(0.3, () => labels(draw, ["of/service", "note"])),
      },
      executor: {
        ...role(draw, spec.executor, volumes),
        instances: maybe(0.5, () => 1 + below(9)),
        deleteOnTermination: maybe(0.3, () => one(true, false)),
      },
    },
  }) as SparkApplication;
}

function role(draw: Draw, { volumeMounts = [], ...others }: SparkPodSpec, volumes: readonly Drawn[]): object {
  const { below, one, maybe, some } = draw;
  const scratch = maybe(0.4, () => some(3, (index) => scratchMount(draw, volumes, index))) ?? [];
  return {
    ...others,
    cores: maybe(0.5, () => 1 + below(8)),
    coreRequest: maybe(0.3, () => one("500m", "1", "")),
    coreLimit: maybe(0.3, () => one("1200m", "")),
    memory: maybe(0.5, () => one("512m", "2g", "")),
    memoryOverhead: maybe(0.3, () => one("100m", "512", "")),
    image: maybe(0.3, () => one("spark:own", "")),
    secrets: maybe(0.4, () => some(3, (index) => secret(draw, index))),
    envVars: maybe(0.3, () => labels(draw, ["LEVEL", "GOOGLE_APPLICATION_CREDENTIALS", "A.B"])),
    envSecretKeyRefs: maybe(0.3, () => ({ [one("TOKEN", "LEVEL")]: { name: "keys", key: one("k", "") } })),
    labels: maybe(0.4, () => labels(draw, ["team", "role", "kueue.x-k8s.io/x", "sparkoperator.k8s.io/app-name"])),
    annotations: maybe(0.4, () => labels(draw, ["note", "of/role"])),
    volumeMounts: [...volumeMounts.filter(({ name }) => !name.startsWith("spark-local-dir-")), ...scratch],
    serviceAccount: maybe(0.4, () => one("spark", "")),
    javaOptions: maybe(0.4, () => one("-Da=b -Dc='d e'", "")),
  };
}

/** Some of these keys, each with a value. */
function labels({ one, maybe }: Draw, keys: readonly string[]): object {
  return Object.fromEntries(keys.map((key) => [key, maybe(0.5, () => one("a", "b", "", "c=d"))]));
}

function secret({ one }: Draw, index: number): object {
  return {
    name: one("key", `secret-${index}`),
    path: one("/etc/secret", "/etc/secret/", "etc//secret/../other", "", "."),
    secretType: one("GCPServiceAccount", "HadoopDelegationToken", "Generic", "constructor", ""),
  };
}

/** A volume; only its name is used. */
type Drawn = Pick<Volume, "name">;

function scratchVolumes(draw: Draw): Drawn[] {
  const { one, maybe, some } = draw;
  return some(4, (index) => ({
    name: `spark-local-dir-${one(index, index, 1)}`,
    ...one(
      { emptyDir: {} },
      { emptyDir: { medium: one("Memory", ""), sizeLimit: maybe(0.7, () => quantity(draw)) } },
      { hostPath: { path: one("/scratch", ""), type: one(undefined, "Directory", "") } },
      { nfs: { server: "nfs.example.com", path: "/scratch", readOnly: one(undefined, true, false) } },
      { persistentVolumeClaim: { claimName: one("claim", ""), readOnly: one(undefined, true, false) } },
      maybe(0.2, () => ({ configMap: { name: "files" } })) ?? { emptyDir: {} },
    ),
  }));
}

function quantity({ one }: Draw): string | number {
  return one("1Gi", "1024Mi", "500M", "1.5Gi", "1e9", "1000000000", "0.5Gi", "2048Ki", "100m", "1E3", "1000k", 5);
}

function scratchMount({ one, oneOf, maybe }: Draw, volumes: readonly Drawn[], index: number): object {
  const known = volumes.map(({ name }) => name);
  return {
    name: maybe(0.05, () => "spark-local-dir-none") ?? oneOf(known) ?? "data",
    mountPath: one(`/scratch/${index}`, `/scratch/${index}`, ""),
    subPath: maybe(0.3, () => one("part", "")),
    readOnly: maybe(0.3, () => one(true, false)),
    mountPropagation: maybe(0.1, () => "HostToContainer"),
  };
}

function dependencies({ oneOf, maybe, some }: Draw): object {
  const list = (...values: readonly string[]) => maybe(0.4, () => some(3, () => oneOf(values)));
  return {
    jars: list("local:///a.jar", "https://example.com/b.jar", ""),
    files: list("local:///a.txt", "s3a://bucket/b#c"),
    pyFiles: list("local:///a.py", "local:///b.zip"),
    packages: list("org.example:one:1.0", "org.example:two_2.13:2.0"),
    excludePackages: list("org.example:three", "org.example:four"),
    repositories: list("https://repo.example.com/maven", "https://example.com/more"),
    archives: list("s3a://bucket/env.tar.gz#env", "local:///a.zip"),
  };
}

/** Every second key sets something that a field sets too. */
function sparkConf({ oneOf, maybe }: Draw): object {
  const values: Readonly<Record<string, readonly string[]>> = {
    "spark.app.name": ["other"],
    "spark.driver.cores": ["3", ""],
    "spark.driver.memory": ["3g", ""],
    "spark.driver.memoryOverhead": ["1g"],
    "spark.driver.extraJavaOptions": ["-Dx=y"],
    "spark.executor.cores": ["5"],
    "spark.executor.memory": ["4g"],
    "spark.executor.instances": ["7", ""],
    "spark.executor.extraJavaOptions": ["-Dx=y"],
    "spark.executorEnv.LEVEL": ["conf"],
    "spark.jars": ["local:///conf.jar"],
    "spark.jars.packages": ["org.example:conf:1.0"],
    "spark.dynamicAllocation.enabled": ["true", "false", "no"],
    "spark.dynamicAllocation.maxExecutors": ["3"],
    "spark.kubernetes.namespace": ["elsewhere"],
    "spark.kubernetes.container.image": ["spark:conf"],
    "spark.kubernetes.container.image.pullPolicy": ["Never"],
    "spark.kubernetes.container.image.pullSecrets": ["conf"],
    "spark.kubernetes.driver.container.image": ["spark:conf"],
    "spark.kubernetes.driver.label.team": ["conf"],
    "spark.kubernetes.driver.pod.name": ["conf-driver", ""],
    "spark.kubernetes.driver.podTemplateFile": ["/conf.yaml"],
    "spark.kubernetes.executor.podTemplateContainerName": ["conf"],
    "spark.kubernetes.driver.secrets.key": ["/conf"],
    "spark.kubernetes.driverEnv.LEVEL": ["conf"],
    "spark.kubernetes.executor.label.sparkoperator.k8s.io/app-name": ["conf"],
    "spark.kubernetes.executor.volumes.emptyDir.spark-local-dir-1.mount.path": ["/conf"],
    "spark.kubernetes.memoryOverheadFactor": ["0.5"],
    "spark.kubernetes.node.selector.zone": ["conf"],
    "spark.kubernetes.pyspark.pythonVersion": ["2"],
    "spark.kubernetes.submission.waitAppCompletion": ["true"],
    "spark.hadoop.fs.s3a.endpoint": ["conf"],
    "spark.sql.x": ["a=b", " spaced ", ""],
  };
  return Object.fromEntries(Object.entries(values).map(([key, all]) => [key, maybe(0.25, () => oneOf(all))]));
}
