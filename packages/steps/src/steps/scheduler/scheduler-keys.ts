import {
  confKey,
  confType,
  isDnsSubdomain,
  isServiceAudience,
  optionalConfKey,
  SCHEDULER_AUDIENCE,
  SCHEDULER_CA_CONFIG_MAP,
  type ConfKey,
} from "@kindling/core-spec";

/** The keys that say what creates an application's executors, and how much it may claim there. */

const { boolean, checked, int, oneOf, text } = confType;

export const SCHEDULER: ConfKey<"native" | "gateway"> = confKey({
  key: "spark.kindling.scheduler",
  type: oneOf("native", "gateway"),
  default: "native",
  since: "3.5.0",
  readBy: ["submit"],
  doc: "Where the driver asks for executors: at the API server, or at the gateway that many applications share. A driver that uses the gateway gets no token of the API server and needs no role.",
});

export const SCHEDULER_URI: ConfKey<string | undefined> = optionalConfKey({
  key: "spark.kindling.scheduler.uri",
  type: checked(
    text,
    isHttpsUri,
    "an https URI without user, query and fragment, such as https://kindling-gateway.kindling.svc:8443",
  ),
  since: "3.5.0",
  readBy: ["submit"],
  doc: "The https URI at which drivers reach the gateway. Needed with spark.kindling.scheduler=gateway. It becomes the driver's spark.kubernetes.driver.master.",
});

export const SCHEDULER_TOKEN_AUDIENCE: ConfKey<string> = confKey({
  key: "spark.kindling.scheduler.audience",
  type: checked(text, isServiceAudience, "a name without blanks and commas that is not the API server's own"),
  default: SCHEDULER_AUDIENCE,
  since: "3.5.0",
  readBy: ["submit"],
  doc: "The audience of the token that the driver sends to the gateway. Nobody else accepts this token.",
});

export const SCHEDULER_CA_FILE: ConfKey<string | undefined> = optionalConfKey({
  key: "spark.kindling.scheduler.caFile",
  type: text,
  since: "3.5.0",
  readBy: ["submit"],
  doc: "A PEM file on the submitter's disk with the certificates of the authority that has signed the gateway's certificate. The driver gets them in a ConfigMap. Cannot be combined with spark.kindling.scheduler.caConfigMap.",
});

export const SCHEDULER_CA_MAP: ConfKey<string> = confKey({
  key: "spark.kindling.scheduler.caConfigMap",
  type: checked(text, isDnsSubdomain, "the name of a ConfigMap"),
  default: SCHEDULER_CA_CONFIG_MAP,
  since: "3.5.0",
  readBy: ["submit"],
  doc: "A ConfigMap of the application's namespace whose entry ca.crt holds these certificates. Whoever runs the gateway makes it.",
});

export const SCHEDULER_QUEUE: ConfKey<string | undefined> = optionalConfKey({
  key: "spark.kindling.scheduler.queue",
  type: checked(
    text,
    (queue) => isLabelValue(localQueueIn(queue) ?? queue),
    "a name of at most 63 letters, digits, '-', '_' and '.', with a letter or digit at both ends, or kueue: and the name of a LocalQueue",
  ),
  since: "3.5.0",
  readBy: ["submit"],
  doc: "The gateway's queue that the application waits in; the gateway's default queue if unset. `kueue:team-a` is the LocalQueue `team-a` of Kueue in the application's namespace.",
});

const KUEUE_PREFIX = "kueue:";

/** The LocalQueue of Kueue that a value of `spark.kindling.scheduler.queue` names; `undefined` if it names another queue. */
export function localQueueIn(queue: string): string | undefined {
  return queue.startsWith(KUEUE_PREFIX) ? queue.slice(KUEUE_PREFIX.length) : undefined;
}

export const SCHEDULER_PRIORITY: ConfKey<number> = confKey({
  key: "spark.kindling.scheduler.priority",
  type: int,
  default: "0",
  since: "3.5.0",
  readBy: ["submit"],
  doc: "The priority of the application in its queue. Applications with a greater number come first.",
});

export const SCHEDULER_MIN_EXECUTORS: ConfKey<number | undefined> = optionalConfKey({
  key: "spark.kindling.scheduler.minExecutors",
  type: checked(int, (count) => count >= 0, "a number that is not negative"),
  since: "3.5.0",
  readBy: ["submit"],
  doc: "The driver starts only when there is room for this many executors. If unset, as many as the driver asks for at first.",
});

export const SCHEDULER_GATE: ConfKey<boolean> = confKey({
  key: "spark.kindling.scheduler.gate",
  type: boolean,
  default: "true",
  since: "3.5.0",
  readBy: ["submit"],
  doc: "Whether the driver pod has a scheduling gate. With it, the pod waits until there is room for it and its minimum number of executors.",
});

export const SCHEDULER_EXECUTOR_STEPS: ConfKey<"gateway" | "template"> = confKey({
  key: "spark.kindling.scheduler.executorSteps",
  type: oneOf("gateway", "template"),
  default: "gateway",
  since: "3.5.0",
  readBy: ["submit"],
  doc: "Who runs Kindling's and contributed steps for executors. gateway: the gateway runs them for each executor, and contributed steps must be installed there. template: the submission runs them once, for a pod template that all executors get.",
});

export const SCHEDULER_EARLY_START: ConfKey<boolean> = confKey({
  key: "spark.kindling.scheduler.earlyStart",
  type: boolean,
  default: "true",
  since: "3.5.0",
  readBy: ["submit"],
  doc: "Whether the gateway makes executors while their driver still starts, if the application has no dynamic allocation. Then, they have their node, their image and their files when the driver asks for them.",
});

/** These keys have a meaning only for an application of the gateway. */
export const GATEWAY_WISHES: readonly ConfKey<unknown>[] = [
  SCHEDULER_QUEUE,
  SCHEDULER_PRIORITY,
  SCHEDULER_MIN_EXECUTORS,
  SCHEDULER_EXECUTOR_STEPS,
  SCHEDULER_EARLY_START,
];

export const SCHEDULER_KEYS: readonly ConfKey<unknown>[] = [
  SCHEDULER,
  SCHEDULER_URI,
  SCHEDULER_TOKEN_AUDIENCE,
  SCHEDULER_CA_FILE,
  SCHEDULER_CA_MAP,
  ...GATEWAY_WISHES,
  SCHEDULER_GATE,
];

// Other parts of a URI say nothing about the API server's address, or would be visible to every user who may read ConfigMaps.
function isHttpsUri(uri: string): boolean {
  if (/\s/.test(uri) || !URL.canParse(uri)) return false;
  const { protocol, username, password } = new URL(uri);
  return protocol === "https:" && username === "" && password === "" && !/[?#]/.test(uri);
}

function isLabelValue(value: string): boolean {
  return /^[A-Za-z0-9](?:[A-Za-z0-9._-]{0,61}[A-Za-z0-9])?$/.test(value);
}
