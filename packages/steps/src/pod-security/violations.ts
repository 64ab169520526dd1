import type { Container, Pod, PodSpec, Volume } from "@kindling/core-spec";
import type { PodSecurityLevel } from "./pod-security-keys.ts";

/**
 * What Kubernetes' Pod Security Admission would refuse in a pod, one phrase for each field, such as `hostNetwork=true` or
 * `container spark: privileged=true`. The rules are those of Kubernetes 1.34 (Pod Security Standards; packages
 * `k8s.io/pod-security-admission/policy`). Windows pods have other rules and are not judged.
 */
export function podSecurityViolations(pod: Pod, level: PodSecurityLevel): string[] {
  if (level === "privileged") return [];
  const spec = pod.spec ?? { containers: [] };
  const baseline = [...ofTheHost(spec), ...ofAnnotations(pod), ...baselineContext(spec)];
  const all = containersOf(spec).flatMap((container) => named(container, baselineContainer(container)));
  if (level === "baseline") return [...baseline, ...all];
  const restricted = containersOf(spec).flatMap((container) => named(container, restrictedContainer(container, spec)));
  return [...baseline, ...restrictedPod(spec), ...all, ...restricted];
}

type SecurityContext = NonNullable<Container["securityContext"]>;
/** The fields that the security contexts of pods and containers share. */
type SharedContext = Pick<
  SecurityContext,
  "seLinuxOptions" | "seccompProfile" | "windowsOptions" | "runAsUser" | "runAsNonRoot"
> & { readonly appArmorProfile?: { readonly type?: string } };

function containersOf({ initContainers, containers, ephemeralContainers }: PodSpec): readonly Container[] {
  return [...(initContainers ?? []), ...(containers ?? []), ...((ephemeralContainers ?? []) as readonly Container[])];
}

function named({ name }: Container, fields: readonly string[]): string[] {
  return fields.map((field) => `container ${name}: ${field}`);
}

function ofTheHost(spec: PodSpec): string[] {
  const shared = (["hostNetwork", "hostPID", "hostIPC"] as const).filter((field) => spec[field] === true);
  const paths = (spec.volumes ?? []).filter(({ hostPath }) => hostPath !== undefined);
  return [...shared.map((field) => `${field}=true`), ...paths.map(({ name }) => `volume ${name}: hostPath`)];
}

const APP_ARMOR_ANNOTATION = "container.apparmor.security.beta.kubernetes.io/";

function ofAnnotations({ metadata }: Pod): string[] {
  return Object.entries(metadata?.annotations ?? {}).flatMap(([key, value]) =>
    key.startsWith(APP_ARMOR_ANNOTATION) && !/^(?:|runtime\/default|localhost\/.*)$/.test(value)
      ? [`annotation ${key}=${value}`]
      : [],
  );
}

const SAFE_SYSCTLS: ReadonlySet<string> = new Set([
  "kernel.shm_rmid_forced",
  "net.ipv4.ip_local_port_range",
  "net.ipv4.ip_unprivileged_port_start",
  "net.ipv4.tcp_syncookies",
  "net.ipv4.ping_group_range",
  "net.ipv4.ip_local_reserved_ports",
  "net.ipv4.tcp_keepalive_time",
  "net.ipv4.tcp_fin_timeout",
  "net.ipv4.tcp_keepalive_intvl",
  "net.ipv4.tcp_keepalive_probes",
  "net.ipv4.tcp_rmem",
  "net.ipv4.tcp_wmem",
]);

function baselineContext({ securityContext }: PodSpec): string[] {
  const sysctls = (securityContext?.sysctls ?? []).filter(({ name }) => !SAFE_SYSCTLS.has(name));
  return [...sharedContext(securityContext), ...sysctls.map(({ name }) => `sysctl ${name}`)];
}

const SELINUX_TYPES: ReadonlySet<string> = new Set([
  "",
  "container_t",
  "container_init_t",
  "container_kvm_t",
  "container_engine_t",
]);

function sharedContext(context: SharedContext | undefined): string[] {
  const { type = "", user, role } = context?.seLinuxOptions ?? {};
  return [
    ...(context?.windowsOptions?.hostProcess === true ? ["windowsOptions.hostProcess=true"] : []),
    ...(SELINUX_TYPES.has(type) ? [] : [`seLinuxOptions.type=${type}`]),
    ...(user ? [`seLinuxOptions.user=${user}`] : []),
    ...(role ? [`seLinuxOptions.role=${role}`] : []),
    ...(["seccompProfile", "appArmorProfile"] as const).flatMap((field) =>
      context?.[field]?.type === "Unconfined" ? [`${field}.type=Unconfined`] : [],
    ),
  ];
}

const BASELINE_CAPABILITIES: ReadonlySet<string> = new Set([
  "AUDIT_WRITE",
  "CHOWN",
  "DAC_OVERRIDE",
  "FOWNER",
  "FSETID",
  "KILL",
  "MKNOD",
  "NET_BIND_SERVICE",
  "SETFCAP",
  "SETGID",
  "SETPCAP",
  "SETUID",
  "SYS_CHROOT",
]);

function baselineContainer(container: Container): string[] {
  const { securityContext: context, ports } = container;
  const added = (context?.capabilities?.add ?? []).filter((name) => !BASELINE_CAPABILITIES.has(name));
  const hostPorts = (ports ?? []).flatMap(({ hostPort }) => (hostPort ? [hostPort] : []));
  const procMount = context?.procMount ?? "Default";
  return [
    ...(context?.privileged === true ? ["privileged=true"] : []),
    ...added.map((name) => `capabilities.add=${name}`),
    ...hostPorts.map((port) => `hostPort=${port}`),
    ...(procMount === "Default" ? [] : [`procMount=${procMount}`]),
    ...sharedContext(context),
    ...handlers(container).flatMap(([where, host]) => (host ? [`${where}.host=${host}`] : [])),
  ];
}

/** The hosts that probes and hooks connect to (refused from Kubernetes 1.34 on). */
function handlers({
  livenessProbe,
  readinessProbe,
  startupProbe,
  lifecycle,
}: Container): [string, string | undefined][] {
  const all = { livenessProbe, readinessProbe, startupProbe, ...lifecycle };
  return Object.entries(all).flatMap(([where, handler]): [string, string | undefined][] =>
    typeof handler === "object" && handler !== null
      ? [
          [`${where}.httpGet`, handler.httpGet?.host],
          [`${where}.tcpSocket`, handler.tcpSocket?.host],
        ]
      : [],
  );
}

/** The fields of volumes that the level allows, and those that are judged elsewhere. */
const KNOWN_FIELDS: ReadonlySet<string> = new Set<keyof Volume>([
  "name",
  "hostPath",
  "configMap",
  "csi",
  "downwardAPI",
  "emptyDir",
  "ephemeral",
  "persistentVolumeClaim",
  "projected",
  "secret",
]);

function restrictedPod({ volumes, securityContext }: PodSpec): string[] {
  const foreign = (volumes ?? []).flatMap((volume) => {
    const type = Object.keys(volume).find((field) => !KNOWN_FIELDS.has(field));
    return type === undefined ? [] : [`volume ${volume.name}: ${type}`];
  });
  return [
    ...foreign,
    ...(securityContext?.runAsNonRoot === false ? ["runAsNonRoot=false"] : []),
    ...(securityContext?.runAsUser === 0 ? ["runAsUser=0"] : []),
  ];
}

function restrictedContainer({ securityContext: own }: Container, { securityContext: ofPod }: PodSpec): string[] {
  const added = (own?.capabilities?.add ?? []).filter((name) => name !== "NET_BIND_SERVICE");
  const isNonRoot = own?.runAsNonRoot ?? ofPod?.runAsNonRoot;
  const seccomp = own?.seccompProfile?.type ?? ofPod?.seccompProfile?.type;
  return [
    ...(own?.allowPrivilegeEscalation === false ? [] : ["allowPrivilegeEscalation is not false"]),
    ...(own?.capabilities?.drop?.includes("ALL") === true ? [] : ["capabilities.drop has no ALL"]),
    ...added.filter((name) => BASELINE_CAPABILITIES.has(name)).map((name) => `capabilities.add=${name}`),
    ...(isNonRoot === true ? [] : ["runAsNonRoot is not true"]),
    ...(own?.runAsUser === 0 ? ["runAsUser=0"] : []),
    ...(seccomp === undefined ? ["seccompProfile is not set"] : []),
  ];
}
