/**
 * What a flag does. `conf` sets a configuration key and wins over `--conf`; `uris` does so with a list of files;
 * `field` keeps a value for the submission itself; `switch` turns something on; `ignored` is taken and has no meaning
 * on Kubernetes.
 */
export type FlagEffect =
  | { readonly kind: "conf"; readonly key: string }
  | { readonly kind: "uris"; readonly key: string }
  | { readonly kind: "field" }
  | { readonly kind: "switch" }
  | { readonly kind: "ignored"; readonly takesValue: boolean };

export interface Flag {
  /** The long name, with its dashes. */
  readonly name: string;
  readonly short?: string;
  readonly effect: FlagEffect;
  /** What the value is called in the help. */
  readonly value?: string;
  readonly help: string;
  /** Which part of the help the flag stands in. */
  readonly section: "application" | "files" | "resources" | "configuration" | "control" | "kindling" | "other";
}

const conf = (key: string): FlagEffect => ({ kind: "conf", key });
const uris = (key: string): FlagEffect => ({ kind: "uris", key });
const FIELD: FlagEffect = { kind: "field" };
const SWITCH: FlagEffect = { kind: "switch" };

/** Every flag of `kindling submit`: spark-submit's own first (SparkSubmitOptionParser, 4.3.0), then Kindling's. */
export const FLAGS: readonly Flag[] = [
  {
    name: "--master",
    value: "URL",
    effect: conf("spark.master"),
    section: "application",
    help: "k8s://https://host:port; default: the kubeconfig's current context",
  },
  {
    name: "--deploy-mode",
    value: "MODE",
    effect: conf("spark.submit.deployMode"),
    section: "application",
    help: "cluster (default on Kubernetes) or client, which is handed to spark-submit",
  },
  {
    name: "--class",
    value: "CLASS",
    effect: FIELD,
    section: "application",
    help: "the application's main class; default: the one that its jar names",
  },
  {
    name: "--name",
    value: "NAME",
    effect: conf("spark.app.name"),
    section: "application",
    help: "the application's name",
  },
  {
    name: "--remote",
    value: "URL",
    effect: conf("spark.remote"),
    section: "application",
    help: "a Spark Connect server; handed to spark-submit",
  },
  {
    name: "--jars",
    value: "JARS",
    effect: uris("spark.jars"),
    section: "files",
    help: "jars for the class paths of driver and executors, comma separated",
  },
  {
    name: "--py-files",
    value: "FILES",
    effect: uris("spark.submit.pyFiles"),
    section: "files",
    help: ".zip, .egg and .py files for the PYTHONPATH, comma separated",
  },
  {
    name: "--files",
    value: "FILES",
    effect: uris("spark.files"),
    section: "files",
    help: "files for the working directory of each executor, comma separated",
  },
  {
    name: "--archives",
    value: "ARCHIVES",
    effect: uris("spark.archives"),
    section: "files",
    help: "archives to unpack there, comma separated, each with #name",
  },
  {
    name: "--packages",
    value: "COORDINATES",
    effect: conf("spark.jars.packages"),
    section: "files",
    help: "Maven coordinates group:artifact:version, comma separated",
  },
  {
    name: "--exclude-packages",
    value: "COORDINATES",
    effect: conf("spark.jars.excludes"),
    section: "files",
    help: "group:artifact to leave out of what --packages brings",
  },
  {
    name: "--repositories",
    value: "URLS",
    effect: conf("spark.jars.repositories"),
    section: "files",
    help: "further Maven repositories",
  },
  {
    name: "--driver-memory",
    value: "SIZE",
    effect: conf("spark.driver.memory"),
    section: "resources",
    help: "the driver's heap, such as 2g (default 1g)",
  },
  {
    name: "--driver-cores",
    value: "N",
    effect: conf("spark.driver.cores"),
    section: "resources",
    help: "the driver's cores (default 1)",
  },
  {
    name: "--driver-java-options",
    value: "OPTIONS",
    effect: conf("spark.driver.extraJavaOptions"),
    section: "resources",
    help: "JVM options of the driver",
  },
  {
    name: "--driver-library-path",
    value: "PATH",
    effect: conf("spark.driver.extraLibraryPath"),
    section: "resources",
    help: "library path entries of the driver",
  },
  {
    name: "--driver-class-path",
    value: "PATH",
    effect: conf("spark.driver.extraClassPath"),
    section: "resources",
    help: "class path entries of the driver, before all others",
  },
  {
    name: "--executor-memory",
    value: "SIZE",
    effect: conf("spark.executor.memory"),
    section: "resources",
    help: "each executor's heap (default 1g)",
  },
  {
    name: "--executor-cores",
    value: "N",
    effect: conf("spark.executor.cores"),
    section: "resources",
    help: "tasks that each executor runs at a time (default 1)",
  },
  {
    name: "--num-executors",
    value: "N",
    effect: conf("spark.executor.instances"),
    section: "resources",
    help: "how many executors (default 2)",
  },
  {
    name: "--conf",
    short: "-c",
    value: "KEY=VALUE",
    effect: FIELD,
    section: "configuration",
    help: "any Spark configuration key; see `kindling config`",
  },
  {
    name: "--properties-file",
    value: "FILE",
    effect: FIELD,
    section: "configuration",
    help: "a file of keys, instead of conf/spark-defaults.conf",
  },
  {
    name: "--load-spark-defaults",
    effect: SWITCH,
    section: "configuration",
    help: "read conf/spark-defaults.conf too, behind --properties-file",
  },
  {
    name: "--proxy-user",
    value: "USER",
    effect: FIELD,
    section: "configuration",
    help: "the user that the driver stands in for; not with --principal",
  },
  {
    name: "--principal",
    value: "PRINCIPAL",
    effect: conf("spark.kerberos.principal"),
    section: "configuration",
    help: "the Kerberos principal of the driver",
  },
  {
    name: "--keytab",
    value: "FILE",
    effect: conf("spark.kerberos.keytab"),
    section: "configuration",
    help: "the keytab of that principal",
  },
  {
    name: "--kill",
    value: "ID",
    effect: FIELD,
    section: "control",
    help: "end the application NAMESPACE:POD; a name may end in *",
  },
  {
    name: "--status",
    value: "ID",
    effect: FIELD,
    section: "control",
    help: "show the application NAMESPACE:POD; a name may end in *",
  },
  {
    name: "--dry-run",
    effect: SWITCH,
    section: "kindling",
    help: "print the objects instead of creating them, ready for kubectl apply",
  },
  {
    name: "--output",
    short: "-o",
    value: "FORMAT",
    effect: FIELD,
    section: "kindling",
    help: "yaml or json, for --dry-run and the result",
  },
  {
    name: "--executor",
    effect: SWITCH,
    section: "kindling",
    help: "with --dry-run: the pod that an executor will get",
  },
  {
    name: "--show-secrets",
    effect: SWITCH,
    section: "kindling",
    help: "with --dry-run: what is secret, too, for objects that are to be applied",
  },
  {
    name: "--check",
    effect: SWITCH,
    section: "kindling",
    help: "look whether cluster and staging server would take it, from here and from a pod",
  },
  { name: "--logs", effect: SWITCH, section: "kindling", help: "show the driver's log while waiting" },
  {
    name: "--submission-id",
    value: "ID",
    effect: FIELD,
    section: "kindling",
    help: "the same id twice gives one application",
  },
  {
    name: "--steps",
    value: "STEPS",
    effect: conf("spark.kindling.steps"),
    section: "kindling",
    help: "npm packages or files with submission steps, comma separated",
  },
  {
    name: "--verbose",
    short: "-v",
    effect: SWITCH,
    section: "other",
    help: "say more, with what an error was caused by",
  },
  { name: "--version", effect: SWITCH, section: "other", help: "the version" },
  { name: "--help", short: "-h", effect: SWITCH, section: "other", help: "this text" },
  { name: "--usage-error", effect: SWITCH, section: "other", help: "this text, as an error" },
  {
    name: "--queue",
    value: "NAME",
    effect: { kind: "ignored", takesValue: true },
    section: "other",
    help: "taken and ignored, as by spark-submit on Kubernetes",
  },
  {
    name: "--total-executor-cores",
    value: "N",
    effect: { kind: "ignored", takesValue: true },
    section: "other",
    help: "taken and ignored, as by spark-submit on Kubernetes",
  },
  {
    name: "--driver-default-class-path",
    value: "PATH",
    effect: { kind: "ignored", takesValue: true },
    section: "other",
    help: "taken and ignored, as by spark-submit on Kubernetes",
  },
  {
    name: "--supervise",
    effect: { kind: "ignored", takesValue: false },
    section: "other",
    help: "taken and ignored, as by spark-submit on Kubernetes",
  },
];

/** Whether a flag is followed by a value. */
export function takesValue({ effect }: Flag): boolean {
  switch (effect.kind) {
    case "conf":
    case "uris":
    case "field":
      return true;
    case "switch":
      return false;
    case "ignored":
      return effect.takesValue;
  }
}
