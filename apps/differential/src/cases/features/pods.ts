import type { Draft } from "../draft.ts";

const K = "spark.kubernetes.";
const LABEL_NAMES = ["a", "team", "app.kubernetes.io/name", "sidecar.istio.io/inject", "a.b", "version"];
const ODD_LABEL_NAMES = [
  ...[
    "A",
    "x_y",
    "spark-role",
    "spark-version",
    "spark-app-selector",
    "spark-app-name",
    "bad key",
    "\u00e9",
    "-x",
    "a/b/c",
    "",
    "a,b",
    "x:y",
  ],
];
const VARIABLES = ["A", "FOO", "JAVA_HOME"];
const ODD_VARIABLES = [
  ...[
    "SPARK_USER",
    "a.b",
    "1X",
    "X-Y",
    "SPARK_APPLICATION_ID",
    "SPARK_CONF_DIR",
    "PATH",
    "\u00e9",
    "HADOOP_CONF_DIR",
    "SPARK_LOCAL_DIRS",
  ],
  ...["A B", "PYSPARK_PYTHON", "SPARK_DRIVER_BIND_ADDRESS", "", "SPARK_EXECUTOR_DIRS", "A=B"],
];

/** Labels, annotations and node selectors. */
export function prefixes(draft: Draft): void {
  const { dice } = draft;
  const names = [
    "driver.label",
    "driver.annotation",
    "driver.service.label",
    "driver.service.annotation",
    "node.selector",
  ];
  const all = [...names, "driver.node.selector", "executor.node.selector", "executor.label", "executor.annotation"];
  for (const prefix of dice.some(all, dice.pick([1, 1, 2])))
    draft.conf(`${K}${prefix}.${dice.mostly(LABEL_NAMES, ODD_LABEL_NAMES, 0.15)}`, draft.text());
}

export function variables(draft: Draft): void {
  const { dice } = draft;
  const all = [`${K}driverEnv.`, `${K}driverEnv.`, "spark.executorEnv.", "spark.yarn.appMasterEnv."];
  for (const prefix of dice.some(all, dice.pick([1, 1, 2])))
    draft.conf(prefix + dice.mostly(VARIABLES, ODD_VARIABLES, 0.25), draft.text());
}

export function secrets(draft: Draft): void {
  const { dice } = draft;
  const who = dice.pick(["driver", "driver", "executor"]);
  for (let count = dice.pick([1, 1, 2]); count > 0; count--) {
    if (dice.chance(0.5)) {
      const name = dice.mostly(["db", "tls-x", "a.b"], ["Bad_Name", "x".repeat(70), "\u00e9", ""]);
      draft.conf(
        `${K}${who}.secrets.${name}`,
        dice.mostly(["/etc/db", "/etc/tls", "/s"], ["", "rel", " /x", "/a:b", "/etc/db/"]),
      );
    } else {
      const variable = dice.mostly(VARIABLES, ODD_VARIABLES);
      const odd = ["nocolon", "a:b:c", ":k", "s:", ":", "", "a::b", " s : k ", "s:k:"];
      draft.conf(`${K}${who}.secretKeyRef.${variable}`, dice.mostly(["s:k", "db:pass"], odd));
    }
  }
}

export function volumes(draft: Draft): void {
  const { dice } = draft;
  const who = dice.pick(["driver", "driver", "driver", "executor"]);
  const names = dice.some(["a", "data", "spark-local-dir-1", "x-y", "b", "spark-local-dir-x"], dice.pick([1, 1, 2, 3]));
  for (const name of names)
    volume(draft, `${K}${who}.volumes.`, dice.mostly([name], ["Bad_V", "x".repeat(64), ""], 0.04));
  if (dice.chance(0.02)) {
    const odd = ["x", "", "hostPath", "hostPath.a", "hostPath.a.b.c.d", "emptyDir..mount.path"];
    draft.conf(`${K}${who}.volumes.${dice.pick(odd)}`, "v");
  }
}

function volume(draft: Draft, prefix: string, name: string): void {
  const { dice } = draft;
  const types = ["hostPath", "persistentVolumeClaim", "emptyDir", "nfs", "emptyDir", "persistentVolumeClaim"];
  const type = dice.mostly(types, ["csi", "hostpath", "floppy", "configMap", ""], 0.03);
  const set = (option: string, value: string): void => draft.conf(`${prefix}${type}.${name}.${option}`, value);
  const oddPaths = ["", "rel", "/m1/", "/m1", " /m", "/a:b", "/m,1", "/tmp", "{{APP_ID}}"];
  if (dice.chance(0.98)) set("mount.path", dice.mostly([`/mnt/${name}`, `/data/${name}`], oddPaths));
  if (dice.chance(0.2)) set("mount.readOnly", draft.value("boolean"));
  if (dice.chance(0.15)) set("mount.subPath", draft.text());
  if (dice.chance(0.06)) set("mount.subPathExpr", dice.mostly(["$(POD_NAME)", "x"], [""]));
  const sizes = ["1Gi", "10G", "500", "1024", "100M", "1.5Gi", "5m"];
  const oddSizes = ["1023", "", "abc", "1e3", " 1Gi", "0", "-1Gi", "1 Gi", "1gi"];
  switch (type) {
    case "nfs":
      if (dice.chance(0.98)) set("options.server", dice.mostly(["s", "10.0.0.1"], ["", " "], 0.05));
      if (dice.chance(0.98)) set("options.path", dice.mostly(["/h", "/var/x"], ["", "rel", " "], 0.05));
      break;
    case "hostPath":
      if (dice.chance(0.98)) set("options.path", dice.mostly(["/h", "/var/x"], ["", "rel", " "], 0.05));
      if (dice.chance(0.3)) set("options.type", dice.mostly(["Directory", "DirectoryOrCreate"], ["", "x"]));
      break;
    case "persistentVolumeClaim":
      if (dice.chance(0.98)) {
        const odd = ["x-OnDemand-y", "", "SPARK_EXECUTOR_ID-x", "OnDemandOnDemand", "Bad_C", "ondemand"];
        set("options.claimName", dice.mostly(["c", "OnDemand", "OnDemand"], odd, 0.12));
      }
      if (dice.chance(0.5)) set("options.storageClass", dice.mostly(["gp3", "std"], [""]));
      if (dice.chance(0.6)) set("options.sizeLimit", dice.mostly(sizes, oddSizes));
      if (dice.chance(0.2)) set(`label.${dice.mostly(LABEL_NAMES, ODD_LABEL_NAMES)}`, draft.text());
      if (dice.chance(0.2)) set(`annotation.${dice.mostly(LABEL_NAMES, ODD_LABEL_NAMES)}`, draft.text());
      break;
    case "emptyDir":
      if (dice.chance(0.4)) set("options.medium", dice.mostly(["Memory"], ["", "memory", "HugePages"]));
      if (dice.chance(0.5)) set("options.sizeLimit", dice.mostly(sizes, oddSizes));
  }
  if (dice.chance(0.02)) set(dice.pick(["options.other", "mount", "options", "mount.path.x", "mount.pathx", ""]), "v");
}

export function resources(draft: Draft): void {
  const { dice } = draft;
  const who = dice.pick(["driver", "driver", "executor"]);
  for (const name of dice.some(["gpu", "fpga", "a.b", "x_y"], dice.pick([1, 1, 2]))) {
    const set = (option: string, value: string): void => draft.conf(`spark.${who}.resource.${name}.${option}`, value);
    if (dice.chance(0.97)) set("amount", dice.mostly(["1", "2"], ["0", "-1", "1.5", "abc", "", " 1", "0.5", "01"]));
    if (dice.chance(0.97)) set("vendor", dice.mostly(["nvidia.com", "amd.com"], ["", "x/y", " nvidia.com", "a b"]));
    if (dice.chance(0.3)) set("discoveryScript", "/opt/d.sh");
    if (dice.chance(0.04)) set("x", "y");
  }
  if (dice.chance(0.15)) draft.conf("spark.task.resource.gpu.amount", dice.pick(["1", "0.5", "x"]));
}

const FEATURES = "org.apache.spark.deploy.k8s.features.";
const STEPS = [
  ...[
    "BasicDriver",
    "DriverKubernetesCredentials",
    "DriverService",
    "MountSecrets",
    "EnvSecrets",
    "MountVolumes",
    "DriverCommand",
  ],
  ...["HadoopConfDriver", "KerberosConfDriver", "LocalDirs"],
].map((name) => `${FEATURES}${name}FeatureStep`);

/** Steps of Spark's own that are left out or given twice, and steps that do not exist. */
export function steps(draft: Draft): void {
  const { dice } = draft;
  const all = [...STEPS, `${FEATURES}PodTemplateConfigMapStep`, `${FEATURES}NetworkPolicyFeatureStep`];
  if (dice.chance(0.75)) {
    const left = dice.some(all, dice.pick([1, 1, 2, 3])).join(dice.pick([",", ", "]));
    draft.conf(`${K}${dice.mostly(["driver"], ["executor"], 0.2)}.pod.excludedFeatureSteps`, left);
    return;
  }
  const known = [
    "",
    `${FEATURES}VolcanoFeatureStep`,
    `${FEATURES}EnvSecretsFeatureStep`,
    `${FEATURES}MountVolumesFeatureStep`,
  ];
  const added = dice.mostly(known, ["com.x.Nope", "java.lang.String", "com.x.A,com.x.B"], 0.3);
  draft.conf(`${K}${dice.mostly(["driver"], ["executor"], 0.3)}.pod.featureSteps`, added);
}

export function volcano(draft: Draft): void {
  const { dice } = draft;
  draft.conf(`${K}driver.pod.featureSteps`, `${FEATURES}VolcanoFeatureStep`);
  if (dice.chance(0.6)) draft.conf(`${K}scheduler.name`, "volcano");
  if (dice.chance(0.7)) {
    const head = "apiVersion: scheduling.volcano.sh/v1beta1\nkind: PodGroup\n";
    draft.files["group.yaml"] = dice.mostly(
      [
        `${head}spec:\n  minMember: 1\n  minResources:\n    cpu: "2"\n    memory: 2Gi\n  priorityClassName: p\n  queue: q\n`,
        "spec: {queue: q, minMember: 3}\n",
        "metadata: {name: x, labels: {a: b}}\nspec: {}\n",
        `${head}metadata: {annotations: {a: b}}\nspec: {minTaskMember: {driver: 1}, minResources: {cpu: 1.5}}\n`,
      ],
      [
        "",
        "kind: Pod\n",
        `${head}spec: {queue: 7, minMember: "2"}\n`,
        `${head}spec: {minMember: x}\n`,
        `${head}spec: {unknown: 1}\n`,
      ],
      0.15,
    );
    draft.conf(
      `${K}scheduler.volcano.podGroupTemplateFile`,
      dice.mostly(["{W}/group.yaml"], ["{W}/none.yaml", ""], 0.04),
    );
  }
  if (dice.chance(0.08))
    draft.conf(`${K}scheduler.volcano.podGroupTemplateJson`, dice.pick(['{"spec":{"queue":"j"}}', "{", ""]));
}
