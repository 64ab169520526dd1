import type { Container, ContainerPort, Volume, VolumeMount } from "../../../objects/pod.ts";
import {
  type FieldError,
  duplicate,
  forbiddenField,
  invalidValue,
  notFoundValue,
  notSupported,
  required,
} from "../field-error.ts";
import { dnsLabel, portName, portNumber } from "../names.ts";
import { validateEnv, validateEnvFrom } from "./env.ts";
import { validateProbes } from "./probes.ts";
import { validateResources } from "./resources.ts";
import { localPath } from "./volumes.ts";

const PROTOCOLS = ["SCTP", "TCP", "UDP"];
const PULL_POLICIES = ["Always", "IfNotPresent", "Never"];
const MESSAGE_POLICIES = ["File", "FallbackToLogsOnError"];
const NOT_FOR_INIT = "may not be set for init containers without restartPolicy=Always";

/** What is wrong with the containers that make up a pod. */
export function validateContainers(
  containers: readonly Container[],
  volumes: readonly Volume[],
  path: string,
): FieldError[] {
  if (containers.length === 0) return [required(path)];
  const names = new Set<string>();
  const errors = containers.flatMap((container, index) => {
    const at = `${path}[${index}]`;
    const own = validateContainer(container, volumes, at);
    if (names.has(container.name)) own.push(duplicate(`${at}.name`, container.name));
    names.add(container.name);
    own.push(...validateProbes(container, at));
    if (container.restartPolicy !== undefined) {
      own.push(forbiddenField(`${at}.restartPolicy`, "may not be set for non-init containers"));
    }
    return own;
  });
  return [...errors, ...hostPortConflicts(containers, path)];
}

/** What is wrong with init containers, whose names must differ from those of the `others` too. */
export function validateInitContainers(
  containers: readonly Container[],
  others: readonly Container[],
  volumes: readonly Volume[],
  path: string,
): FieldError[] {
  const names = new Set(others.map(({ name }) => name));
  return containers.flatMap((container, index) => {
    const at = `${path}[${index}]`;
    const errors = validateContainer(container, volumes, at);
    const { restartPolicy } = container;
    if (restartPolicy !== undefined && restartPolicy !== "Always") {
      errors.push(notSupported(`${at}.restartPolicy`, restartPolicy, ["Always"]));
    }
    if (names.has(container.name)) errors.push(duplicate(`${at}.name`, container.name));
    else if (container.name !== "") names.add(container.name);
    if (restartPolicy === "Always") return [...errors, ...validateProbes(container, at)];
    for (const field of ["lifecycle", "livenessProbe", "readinessProbe", "startupProbe"] as const) {
      if (container[field] !== undefined) errors.push(forbiddenField(`${at}.${field}`, NOT_FOR_INIT));
    }
    return errors;
  });
}

function validateContainer(container: Container, volumes: readonly Volume[], path: string): FieldError[] {
  const { name, image = "", terminationMessagePolicy, imagePullPolicy } = container;
  const errors: FieldError[] = [];
  if (name === "") errors.push(required(`${path}.name`));
  else errors.push(...dnsLabel(name).map((why) => invalidValue(`${path}.name`, name, why)));
  if (image === "") errors.push(required(`${path}.image`));
  if (!MESSAGE_POLICIES.includes(terminationMessagePolicy)) {
    errors.push(notSupported(`${path}.terminationMessagePolicy`, terminationMessagePolicy, MESSAGE_POLICIES));
  }
  errors.push(...validatePorts(container.ports ?? [], `${path}.ports`));
  errors.push(...validateEnv(container.env ?? [], `${path}.env`));
  errors.push(...validateEnvFrom(container.envFrom ?? [], `${path}.envFrom`));
  errors.push(...validateMounts(container.volumeMounts ?? [], volumes, `${path}.volumeMounts`));
  if (!PULL_POLICIES.includes(imagePullPolicy)) {
    errors.push(notSupported(`${path}.imagePullPolicy`, imagePullPolicy, PULL_POLICIES));
  }
  errors.push(...validateResources(container.resources, `${path}.resources`));
  return errors;
}

function validatePorts(ports: readonly ContainerPort[], path: string): FieldError[] {
  const names = new Set<string>();
  return ports.flatMap((port, index) => {
    const at = `${path}[${index}]`;
    const { name = "", containerPort, hostPort = 0, protocol = "" } = port;
    const errors: FieldError[] = [];
    const problems = name === "" ? [] : portName(name);
    errors.push(...problems.map((why) => invalidValue(`${at}.name`, name, why)));
    if (problems.length === 0 && names.has(name)) errors.push(duplicate(`${at}.name`, name));
    if (name !== "") names.add(name);
    if (containerPort === 0) errors.push(required(`${at}.containerPort`));
    else
      errors.push(...portNumber(containerPort).map((why) => invalidValue(`${at}.containerPort`, containerPort, why)));
    if (hostPort !== 0)
      errors.push(...portNumber(hostPort).map((why) => invalidValue(`${at}.hostPort`, hostPort, why)));
    if (!PROTOCOLS.includes(protocol)) errors.push(notSupported(`${at}.protocol`, protocol, PROTOCOLS));
    return errors;
  });
}

function validateMounts(mounts: readonly VolumeMount[], volumes: readonly Volume[], path: string): FieldError[] {
  const paths = new Set<string>();
  return mounts.flatMap((mount, index) => {
    const at = `${path}[${index}]`;
    const { name, mountPath, subPath = "", subPathExpr = "" } = mount;
    const errors: FieldError[] = [];
    if (name === "") errors.push(required(`${at}.name`));
    if (!volumes.some((volume) => volume.name === name)) errors.push(notFoundValue(`${at}.name`, name));
    if (mountPath === "") errors.push(required(`${at}.mountPath`));
    if (paths.has(mountPath)) errors.push(invalidValue(`${at}.mountPath`, mountPath, "must be unique"));
    paths.add(mountPath);
    if (subPath !== "") errors.push(...localPath(subPath, `${path}.subPath`));
    if (subPathExpr !== "" && subPath !== "") {
      errors.push(invalidValue(`${at}.subPathExpr`, subPathExpr, "subPathExpr and subPath are mutually exclusive"));
    }
    return errors;
  });
}

function hostPortConflicts(containers: readonly Container[], path: string): FieldError[] {
  const taken = new Set<string>();
  return containers.flatMap((container, index) =>
    (container.ports ?? []).flatMap((port, position) => {
      if ((port.hostPort ?? 0) === 0) return [];
      const key = `${port.protocol ?? ""}/${port.hostIP ?? ""}/${port.hostPort ?? 0}`;
      if (taken.has(key)) return [duplicate(`${path}[${index}].ports[${position}].hostPort`, key)];
      taken.add(key);
      return [];
    }),
  );
}
