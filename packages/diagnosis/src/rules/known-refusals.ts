export const TEMPLATE = "the executors' pod template (spark.kubernetes.executor.podTemplateFile)";

export interface Refusal {
  readonly words: RegExp;
  readonly word: string;
  readonly advice: (...groups: string[]) => string;
}

// The words of Kubernetes' admission (LimitRanger, ResourceQuota, PodSecurity, webhooks, Priority, ServiceAccount), and of
// OpenShift's admission and validation.
export const knownRefusals = (): readonly Refusal[] => [
  ...limitRefusals(),
  ...policyRefusals(),
  ...invalidFields(),
  {
    words: /no PriorityClass with name (\S+)/,
    word: "PriorityClass",
    advice: (name) => `make the PriorityClass ${name}, or correct priorityClassName in ${TEMPLATE}`,
  },
  {
    words: /error looking up service account|serviceaccount "([^"]+)" not found/,
    word: "ServiceAccount",
    advice: () =>
      "make that service account in the executors' namespace, or correct spark.kubernetes.authenticate.executor.serviceAccountName",
  },
  {
    words: /already exists$/,
    word: "AlreadyExists",
    advice: () =>
      "another application has executors of these names: leave spark.kubernetes.executor.podNamePrefix out, or give each its own",
  },
  {
    words: /^no answer: /,
    word: "no answer",
    advice: () =>
      "the API server, or an admission webhook in front of it, does not answer in time: look after both; spark.kubernetes.driver.requestTimeout and connectionTimeout give them longer",
  },
  {
    words: /because it is being terminated/,
    word: "Terminating",
    advice: () => "the namespace is being deleted: submit to another one",
  },
  {
    words: /runtimeclass\S* "?([\w.-]+)"? not found|RuntimeClass "?([\w.-]+)"? not found/i,
    word: "RuntimeClass",
    advice: () => `correct runtimeClassName in ${TEMPLATE}`,
  },
];

/** What a namespace's quotas and limits refuse. */
const limitRefusals = (): readonly Refusal[] => [
  {
    words: /failed quota: (\S+): must specify (\S+)/,
    word: "quota",
    advice: (quota, what) => {
      const keys = what.split(",").map((one) => SPECIFIES.find(([words]) => words.test(one))?.[1] ?? one);
      return `quota ${quota} has every container say it: set ${[...new Set(keys)].join(" and ")}, or give the namespace a LimitRange with defaults`;
    },
  },
  {
    words: /(?:maximum|minimum) memory usage per (?:Container|Pod)|memory max limit to request ratio/,
    word: "LimitRange",
    advice: () =>
      "fit spark.executor.memory, spark.executor.memoryOverhead (and spark.executor.pyspark.memory) into what the namespace's LimitRange allows: kubectl describe limitrange; or have it changed",
  },
  {
    words: /(?:maximum|minimum) cpu usage per (?:Container|Pod)|cpu max limit to request ratio/,
    word: "LimitRange",
    advice: () =>
      "fit spark.kubernetes.executor.request.cores and spark.kubernetes.executor.limit.cores into what the namespace's LimitRange allows: kubectl describe limitrange; or have it changed",
  },
  {
    words: /(?:maximum|minimum) \S+ (?:usage|storage) per|max limit to request ratio/,
    word: "LimitRange",
    advice: () => "the namespace's LimitRange says what is allowed: kubectl describe limitrange",
  },
];

// For a quota: what Spark always sets (requests, and limits of memory) is not in this list.
const SPECIFIES: readonly (readonly [words: RegExp, keys: string])[] = [
  [/^limits\.cpu/, "spark.kubernetes.executor.limit.cores (for the driver spark.kubernetes.driver.limit.cores)"],
  [/^(?:requests\.)?cpu/, "spark.kubernetes.executor.request.cores"],
  [/memory/, "spark.executor.memory"],
  [/ephemeral-storage/, `ephemeral-storage in ${TEMPLATE}`],
];

/** What policies and webhooks refuse. */
const policyRefusals = (): readonly Refusal[] => [
  {
    words: /violates PodSecurity "([^"]+)"/,
    word: "PodSecurity",
    advice: (level) =>
      `let pods meet it (spark.kindling.podSecurity=restricted), and leave what it does not allow out of ${TEMPLATE}; or have the namespace's level (${level}) changed`,
  },
  {
    words: /unable to validate against any security context constraint/,
    word: "SecurityContextConstraint",
    advice: () =>
      `leave users and volumes that OpenShift does not allow out of ${TEMPLATE}, or have the service account given a constraint: oc adm policy add-scc-to-user`,
  },
  {
    words: /failed calling (?:the )?webhook "([^"]+)"/,
    word: "webhook",
    advice: (name) =>
      `the webhook ${name} does not answer, so that no pod of the namespace can be made: whoever runs it has to look after it`,
  },
  {
    words: /admission webhook "([^"]+)" denied the request/,
    word: "webhook",
    advice: (name) => `set what it asks for in ${TEMPLATE}, or have whoever runs ${name} exempt the pods of Spark`,
  },
  {
    words: /ValidatingAdmissionPolicy '([^']+)'/,
    word: "AdmissionPolicy",
    advice: (name) => `set what it asks for in ${TEMPLATE}, or have the policy ${name} changed`,
  },
];

/** Values that no object may have. */
const invalidFields = (): readonly Refusal[] => [
  {
    words: /must be less than or equal to (cpu|memory) limit/,
    word: "Invalid",
    advice: (what) =>
      what === "cpu"
        ? "spark.kubernetes.executor.request.cores (spark.executor.cores where that is not set) must not be more than spark.kubernetes.executor.limit.cores"
        : `the request of memory is more than its limit: leave memory out of ${TEMPLATE}`,
  },
  {
    words: /must be no more than (63|253) (?:characters|bytes)/,
    word: "Invalid",
    advice: () => "a name or label is too long: shorten spark.app.name, or set spark.kubernetes.executor.podNamePrefix",
  },
  {
    words: /metadata\.labels|metadata\.annotations/,
    word: "Invalid",
    advice: () =>
      "correct the label or annotation: spark.kubernetes.executor.label.*, spark.kubernetes.executor.annotation.*",
  },
  {
    words: /volumeMounts|spec\.volumes/,
    word: "Invalid",
    advice: () => `correct the volume: spark.kubernetes.executor.volumes.*, or ${TEMPLATE}`,
  },
  {
    words: /is invalid: /,
    word: "Invalid",
    advice: () => `correct that field: spark.kubernetes.executor.*, or ${TEMPLATE}`,
  },
];
