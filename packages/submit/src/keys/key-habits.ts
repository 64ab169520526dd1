/**
 * Keys that users know from YARN, from the old fork, from pod specifications, or by analogy with other keys. Spark on
 * Kubernetes reads none of them. The keys were collected from public commands, notebooks and issues.
 */

/** What to write instead: a key, or a sentence if there is no single key. `$1` and so on are groups of the pattern. */
type Instead = { readonly key: string } | { readonly advice: string };

const ROLE = "(driver|executor)";
/** With or without `kubernetes.`. */
const SPARK = String.raw`^spark\.(?:kubernetes\.)?`;
const OF_THE_TEMPLATE =
  "tolerations?|affinity|(?:node|pod)Affinity|priorityClass(?:Name)?|hostNetwork|hostAliases|sidecars?|initContainers?" +
  "|lifecycle|(?:pod)?SecurityContext|dnsConfig|dnsPolicy|topologySpreadConstraints|volumeMounts?|ports?";

const HABITS: readonly (readonly [pattern: string, instead: Instead])[] = [
  // The old fork.
  [
    String.raw`^spark\.kubernetes\.init-?container\.(?:docker\.|container\.)?image$`,
    { key: "spark.kindling.localizer.image" },
  ],
  [
    String.raw`^spark\.kubernetes\.(?:init-?container|mountdependencies)\.(?:mount)?timeout$`,
    { key: "spark.kindling.localizer.timeout" },
  ],
  [
    String.raw`^spark\.kubernetes\.mountdependencies\.(?:jars|files)DownloadDir$`,
    { key: "spark.kindling.localizer.directory" },
  ],
  [
    String.raw`^spark\.kubernetes\.(?:init-?container|mountdependencies|resourceStagingServer)\..+$`,
    {
      advice:
        "the old fork had it; kindling config spark.kindling.staging and spark.kindling.localizer list what is there now",
    },
  ],
  [String.raw`^spark\.kubernetes\.driver\.uploads\.(jars|files)$`, { key: "spark.$1" }],
  [
    String.raw`^spark\.kubernetes\.shuffle\..+$`,
    {
      advice: "there is no shuffle service on Kubernetes; spark.dynamicAllocation.shuffleTracking.enabled does without",
    },
  ],
  // Sizes, named as in a pod's resources.
  [
    `${SPARK}${ROLE}\\.(?:requests?|limits?)?\\.?memory\\.?(?:requests?|limits?)?$`,
    { advice: "a pod's memory, requested and limited, is spark.$1.memory and spark.$1.memoryOverhead together" },
  ],
  [`${SPARK}${ROLE}\\.(request|limit)s?\\.cpus?$`, { key: "spark.kubernetes.$1.$2.cores" }],
  [`${SPARK}${ROLE}\\.(?:cpus?|core)$`, { key: "spark.$1.cores" }],
  [
    String.raw`${SPARK}(?:executors?\.(?:count|number|num|replicas|instances?)|num\.?executors|executors)$`,
    { key: "spark.executor.instances" },
  ],
  // Environment variables, labels and nodes.
  [String.raw`${SPARK}driver\.?env\.(.+)$`, { key: "spark.kubernetes.driverEnv.$1" }],
  [String.raw`${SPARK}executor\.?env\.(.+)$`, { key: "spark.executorEnv.$1" }],
  [
    `${SPARK}${ROLE}\\.(label|annotation)s$`,
    { advice: "each has a key of its own, such as spark.kubernetes.$1.$2.team" },
  ],
  [`${SPARK}${ROLE}\\.node-?selectors?\\.(.+)$`, { key: "spark.kubernetes.$1.node.selector.$2" }],
  [String.raw`${SPARK}node-?selectors?\.(.+)$`, { key: "spark.kubernetes.node.selector.$1" }],
  [
    `${SPARK}${ROLE}\\.(?:${OF_THE_TEMPLATE})(?:\\..+)?$`,
    { advice: "that comes from a pod template: spark.kubernetes.$1.podTemplateFile" },
  ],
  [
    `^spark\\.kubernetes\\.(?:${OF_THE_TEMPLATE})(?:\\..+)?$`,
    { advice: "that comes from pod templates: spark.kubernetes.driver.podTemplateFile and …executor.podTemplateFile" },
  ],
  [`${SPARK}${ROLE}\\.(?:pod\\.?)?template(?:\\.?file)?$`, { key: "spark.kubernetes.$1.podTemplateFile" }],
  // Accounts and names.
  [
    String.raw`${SPARK}(?:authenticate\.)?${ROLE}\.(?:authenticate\.)?serviceAccount(?:Name)?$`,
    { key: "spark.kubernetes.authenticate.$1.serviceAccountName" },
  ],
  [
    String.raw`${SPARK}(?:authenticate\.)?serviceAccount(?:Name)?$`,
    { key: "spark.kubernetes.authenticate.driver.serviceAccountName" },
  ],
  [String.raw`${SPARK}driver\.name$`, { key: "spark.kubernetes.driver.pod.name" }],
  // Images, also with the old fork's names.
  [`${SPARK}${ROLE}\\.(?:docker\\.?)?image$`, { key: "spark.kubernetes.$1.container.image" }],
  [String.raw`${SPARK}(?:docker\.?)?image$`, { key: "spark.kubernetes.container.image" }],
  [
    String.raw`${SPARK}(?:(?:driver|executor)\.)?(?:docker\.|container\.)?(?:image\.?)?pullPolicy$`,
    { key: "spark.kubernetes.container.image.pullPolicy" },
  ],
  [
    String.raw`${SPARK}(?:(?:driver|executor)\.)?(?:docker\.|container\.)?(?:image\.?)?pullSecrets?$`,
    { key: "spark.kubernetes.container.image.pullSecrets" },
  ],
  // Kindling's own keys, in the place where users look for them first.
  [String.raw`^spark\.(?:kindling|kubernetes)\.(queue|priority|minExecutors)$`, { key: "spark.kindling.scheduler.$1" }],
  // YARN. Names of YARN that Spark itself still reads are not here.
  [String.raw`^spark\.yarn\.(queue|priority)$`, { key: "spark.kindling.scheduler.$1" }],
  [String.raw`^spark\.yarn\.appMasterEnv\.(.+)$`, { key: "spark.kubernetes.driverEnv.$1" }],
  [String.raw`^spark\.yarn\.executorEnv\.(.+)$`, { key: "spark.executorEnv.$1" }],
  [String.raw`^spark\.yarn\.dist\.(jars|files|archives)$`, { key: "spark.$1" }],
  [String.raw`^spark\.yarn\.dist\.pyFiles$`, { key: "spark.submit.pyFiles" }],
  [String.raw`^spark\.yarn\.submit\.waitAppCompletion$`, { key: "spark.kubernetes.submission.waitAppCompletion" }],
  [String.raw`^spark\.yarn\.report\.interval$`, { key: "spark.kubernetes.report.interval" }],
  [String.raw`^spark\.yarn\.stagingDir$`, { key: "spark.kubernetes.file.upload.path" }],
  [String.raw`^spark\.yarn\.maxAppAttempts$`, { key: "spark.kindling.driver.restart.maxRestarts" }],
  [
    String.raw`^spark\.yarn\.(?:jars|archive)$`,
    { advice: "Spark's own jars are those of the image, spark.kubernetes.container.image" },
  ],
  [
    String.raw`^spark\.yarn\.am\.nodeLabelExpression$`,
    { advice: "nodes are chosen by their labels, with keys such as spark.kubernetes.driver.node.selector.disk" },
  ],
  [
    String.raw`^spark\.yarn\.executor\.nodeLabelExpression$`,
    { advice: "nodes are chosen by their labels, with keys such as spark.kubernetes.executor.node.selector.disk" },
  ],
];

/** The advice for a key that belongs to another system, or that users assume; `undefined` if the key is not in this list. */
export function habitOf(key: string): Instead | undefined {
  // Compiled only for an unknown key: every submission loads this module.
  for (const [pattern, instead] of HABITS) {
    const match = new RegExp(pattern, "i").exec(key);
    if (match === null) continue;
    const fill = (text: string): string =>
      text.replaceAll(/\$(\d)/g, (_, group: string) => roleOf(match[Number(group)] ?? ""));
    return "key" in instead ? { key: fill(instead.key) } : { advice: fill(instead.advice) };
  }
  return undefined;
}

/** The patterns ignore case, but keys do not. */
function roleOf(text: string): string {
  return /^(?:driver|executor|request|limit|label|annotation)$/i.test(text) ? text.toLowerCase() : text;
}
