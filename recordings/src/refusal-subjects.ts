/** A name that Spark writes out, anywhere in a message. */
const NAMES: readonly RegExp[] = [
  // A configuration key; names of Spark's own classes have `org.apache.` in front.
  /(?<![\w./])spark(?:\.[\w-]+)+/g,
  // A flag.
  /(?<![\w-])--[a-z][a-z-]+/g,
  // A file in the test's folder, or another absolute path of the user's.
  /\{work\}\/[\w./-]+\w/g,
  // An option of a volume, without the prefix of its key.
  /(?<![\w.])(?:hostPath|nfs|emptyDir|persistentVolumeClaim)\.[\w-]+\.[\w.]+\w/g,
  // A field of an object that the API server refused.
  /(?<![\w.])(?:spec|metadata)(?:\.\w+|\[\d+\])+/g,
];

/** The subject of a message if Spark describes it instead of naming it: `$1` is what the first group matched. */
const PHRASES: readonly (readonly [RegExp, ...string[]])[] = [
  [/Driver memory must be/, "spark.driver.memory"],
  [/Executor memory must be/, "spark.executor.memory"],
  [/Driver cores must be/, "spark.driver.cores"],
  [/Executor cores must be/, "spark.executor.cores"],
  [/Number of executors must be/, "spark.executor.instances"],
  [/Missing application resource/, "primary resource"],
  [/Action cannot be both .*KILL/, "--kill"],
  [/Action cannot be both .*REQUEST_STATUS/, "--status"],
  [/Unrecognized option: (-\w?)(?:=|$)/, "$1"],
  [/max heap\(Xmx\)/, "-Xmx"],
  [/Invalid option string: /, "JVM options"],
  [/Invalid properties file/, "properties file"],
  [/Cluster deploy mode is not applicable to (Spark .*?)\.?$/, "$1"],
  [/Launching (Spark Connect server) in cluster deploy mode/, "$1"],
  [/main class in JAR/, "main class"],
  [
    /Could not load pod from template file|Encountered exception while attempting to load initial pod spec/,
    "podTemplateFile",
  ],
  [/NoSuchFileException: .*\.yaml/, "podTemplateFile"],
  [/Driver CA cert file/, "caCertFile"],
  [/Resource: (\w+) was requested, but (\w+) was not specified/, "resource.$1.$2"],
  [/secret storing a Kerberos Delegation Token .* item-key/, "spark.kubernetes.kerberos.tokenSecret.itemKey"],
  [
    /both a Krb5 local file and the ConfigMap/,
    "spark.kubernetes.kerberos.krb5.path",
    "spark.kubernetes.kerberos.krb5.configMapName",
  ],
  [
    /Kerberos principal is specified you must also specify a Kerberos keytab/,
    "spark.kerberos.principal",
    "spark.kerberos.keytab",
  ],
  [/Keytab file: (\S+) does not exist/, "spark.kerberos.keytab", "$1"],
  [/`HADOOP_CONF_DIR` in your ENV and the ConfigMap/, "HADOOP_CONF_DIR", "spark.kubernetes.hadoop.configMapName"],
  [/Label with key (\S+) is not allowed/, "label", "$1"],
  [/SecretKeyRef must be in the form (name:key)/, "$1"],
  [/ClassNotFoundException: (\S+)/, "$1"],
  [/Kubernetes Volume type `(\w+)` is not supported/, "volume type $1"],
  [/Found duplicated mountPath: '(.+)'/, "$1"],
  [/Volume size `(\w+)`/, "sizeLimit", "$1"],
  [/For input string: "(.+)"/, "$1"],
  [/namespaces "(.+?)" not found/, "namespace", "$1"],
  [/quantities must match the regular expression/, "quantity"],
];

/**
 * The subjects of a failed spark-submit's messages: keys, flags, files, fields and the like. A message about the same subject
 * contains each of these texts.
 *
 * @param stderr its output, in the form of a recording
 */
export function refusalSubjects(stderr: readonly string[]): string[] {
  const messages = stderr
    .filter((line) => /^(?:Error: |Exception in thread|Caused by: |ERROR )/.test(line))
    // The client's request to the API server, and the status that repeats the message, add nothing.
    .map((line) => line.replace(/Failure executing: .*?Message: /, "").replace(/\.? Received status: .*$/, ""))
    // Advice does not describe the fault.
    .map((line) => line.replace(/ (?:Note that|Please set|Use the corresponding) .*$/, ""));
  const named = messages.flatMap(namesIn);
  const described = messages.flatMap((message) =>
    PHRASES.flatMap(([phrase, ...subjects]) => {
      const match = phrase.exec(message);
      return match === null
        ? []
        : subjects.map((subject) => subject.replace(/\$(\d)/g, (_, group: string) => match[Number(group)] ?? ""));
    }),
  );
  return [...new Set([...named, ...described])];
}

/** The keys, flags, files, volume options and fields that a message names. */
export function namesIn(message: string): string[] {
  return NAMES.flatMap((name) => message.match(name) ?? []);
}
