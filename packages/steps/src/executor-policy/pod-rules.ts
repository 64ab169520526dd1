import { isRecord } from "../plain-data.ts";
import { CONTAINER } from "./container-rules.ts";
import { LABEL_SELECTOR, profile, RESOURCES, USER_AND_GROUP } from "./shared-rules.ts";
import { COMPARED, except, fields, harmless, HARMLESS, list, map, naming, type Rule } from "./rules.ts";
import { VOLUME } from "./volume-rules.ts";

/** A pod must not delay the draining of a node for longer. */
const LONGEST_GRACE_SECONDS = 86_400;

/** Annotations that make a container runtime or a network do what fields of a pod do elsewhere. The rest of a key is a name. */
const OF_THE_NODE =
  /^(?:(?:container\.)?(?:apparmor|seccomp)\.security\.(?:alpha|beta)\.kubernetes\.io\/|security\.alpha\.kubernetes\.io\/|io\.kubernetes\.cri-o\.|io\.katacontainers\.|io\.containerd\.|k8s\.v1\.cni\.cncf\.io\/|v1\.multus-cni\.io\/)/;

const ANNOTATIONS: Rule = {
  kind: "by-key",
  ruleOf(key) {
    const [prefix] = OF_THE_NODE.exec(key) ?? [];
    if (prefix === undefined) return HARMLESS;
    // The annotation of a container ends with its name, which is different for executors and drivers.
    const isOfContainer = prefix.startsWith("container.");
    return naming(`annotation ${isOfContainer ? prefix : key}`, { isHarmless: (value) => value === "runtime/default" });
  },
};

const SECURITY_CONTEXT = fields({
  ...harmless("fsGroupChangePolicy runAsNonRoot seLinuxChangePolicy supplementalGroupsPolicy"),
  ...USER_AND_GROUP,
  fsGroup: naming("group"),
  supplementalGroups: list(naming("group")),
  sysctls: list(COMPARED),
  seccompProfile: profile("RuntimeDefault"),
  appArmorProfile: profile("RuntimeDefault"),
});

const ACCOUNT = naming("service account", { isHarmless: (name) => name === "default" });

const POD_AFFINITY = fields({
  requiredDuringSchedulingIgnoredDuringExecution: list(COMPARED),
  preferredDuringSchedulingIgnoredDuringExecution: list(COMPARED),
});

const SPREAD = fields({
  ...harmless("matchLabelKeys maxSkew minDomains nodeAffinityPolicy nodeTaintsPolicy topologyKey whenUnsatisfiable"),
  labelSelector: LABEL_SELECTOR,
});

const SPEC = fields({
  ...harmless("activeDeadlineSeconds dnsPolicy enableServiceLinks hostname hostnameOverride hostUsers restartPolicy"),
  ...harmless("setHostnameAsFQDN subdomain"),
  containers: list(CONTAINER),
  initContainers: list(CONTAINER),
  ephemeralContainers: list(COMPARED),
  volumes: list(VOLUME),
  resources: RESOURCES,
  resourceClaims: list(COMPARED),
  securityContext: SECURITY_CONTEXT,
  serviceAccount: ACCOUNT,
  serviceAccountName: ACCOUNT,
  // See `tokens.ts`.
  automountServiceAccountToken: except(true, false),
  imagePullSecrets: list(fields({ name: naming("image pull secret", { orNames: "Secret" }) })),
  hostNetwork: except(false),
  hostPID: except(false),
  hostIPC: except(false),
  // A step that the gateway runs may put a container with credentials beside Spark's.
  shareProcessNamespace: except(false),
  os: { kind: "compared", isHarmless: (os) => isRecord(os) && Object.keys(os).length === 1 && os["name"] === "linux" },
  terminationGracePeriodSeconds: {
    kind: "compared",
    isHarmless: (seconds) => typeof seconds === "number" && seconds <= LONGEST_GRACE_SECONDS,
  },
  nodeSelector: map(COMPARED),
  tolerations: list(COMPARED),
  schedulerName: except("default-scheduler"),
  preemptionPolicy: except("Never"),
  overhead: map(COMPARED),
  schedulingGates: list(COMPARED),
  // Anti-affinity of one pod can keep other pods away from nodes, so it is compared as well.
  affinity: fields({
    nodeAffinity: fields({ preferredDuringSchedulingIgnoredDuringExecution: list(COMPARED) }),
    podAffinity: POD_AFFINITY,
    podAntiAffinity: POD_AFFINITY,
  }),
  topologySpreadConstraints: list(SPREAD),
  readinessGates: list(fields(harmless("conditionType"))),
  dnsConfig: fields({ ...harmless("nameservers searches"), options: list(fields(harmless("name value"))) }),
  hostAliases: list(fields(harmless("hostnames ip"))),
});

/**
 * What an executor may have even if its driver's pod does not have it: everything that gives no power over the node, over
 * other accounts and pods, or over scheduling priority, and that shows no data of others.
 */
export const POD: Rule = fields({ metadata: fields({ annotations: ANNOTATIONS }), spec: SPEC });
