import type { Container, ContainerPort, Volume, VolumeMount } from "../../objects/pod.ts";
import {
  dnsLabel,
  duplicate,
  type FieldError,
  forbiddenField,
  invalidValue,
  notFoundValue,
  notSupported,
  portName,
  portNumber,
  required,
} from "@kindling/api-server";
import { validateEnv, validateEnvFrom } from "./env.ts";
import { validateResources } from "./resources.ts";
import { localPath } from "./volumes.ts";

const PROTOCOLS = ["SCTP", "TCP", "UDP"];
const PULL_POLICIES = ["Always", "IfNotPresent", "Never"];
const NOT_FOR_INIT = "may not be set for init containers without restartPolicy=Always";

/** What is wrong with the containers that make up a pod. */
export function validateContainers(
  containers: readonly Container[],
  volumes: readonly Volume[],
  path: string,
): FieldError[] {
  if (containers.length === 0) return [required(path)];
  const names = new Set<string>();
  return containers.flatMap((container, index) => {
    const at = `${path}[${index}]`;
    const errors = validateContainer(container, volumes, at);
    if (names.has(container.name)) errors.push(duplicate(`${at}.name`, container.name));
    names.add(container.name);
    return errors;
  });
}

/** What is wrong with init containers; their names must also differ from those of the `others`. */
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
    if (names.has(container.name)) errors.push(duplicate(`${at}.name`, container.name));
    else if (container.name !== "") names.add(container.name);
    if (container.restartPolicy === "Always") return errors;
    for (const field of ["lifecycle", "livenessProbe", "readinessProbe", "startupProbe"] as const) {
      if (container[field] !== undefined) errors.push(forbiddenField(`${at}.${field}`, NOT_FOR_INIT));
    }
    return errors;
  });
}

function validateContainer(container: Container, volumes: readonly Volume[], path: string): FieldError[] {
  const { name, image = "", imagePullPolicy } = container;
  const errors: FieldError[] = [];
  if (name === "") errors.push(required(`${path}.name`));
  else errors.push(...dnsLabel(name).map((why) => invalidValue(`${path}.name`, name, why)));
  if (image === "") errors.push(required(`${path}.image`));
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
    const { name = "", containerPort, protocol = "" } = port;
    const errors: FieldError[] = [];
    const problems = name === "" ? [] : portName(name);
    errors.push(...problems.map((why) => invalidValue(`${at}.name`, name, why)));
    if (problems.length === 0 && names.has(name)) errors.push(duplicate(`${at}.name`, name));
    if (name !== "") names.add(name);
    if (containerPort === 0) errors.push(required(`${at}.containerPort`));
    else
      errors.push(...portNumber(containerPort).map((why) => invalidValue(`${at}.containerPort`, containerPort, why)));
    if (!PROTOCOLS.includes(protocol)) errors.push(notSupported(`${at}.protocol`, protocol, PROTOCOLS));
    return errors;
  });
}

function validateMounts(mounts: readonly VolumeMount[], volumes: readonly Volume[], path: string): FieldError[] {
  const paths = new Set<string>();
  return mounts.flatMap((mount, index) => {
    const at = `${path}[${index}]`;
    const { name, mountPath, subPath = "" } = mount;
    const errors: FieldError[] = [];
    if (name === "") errors.push(required(`${at}.name`));
    if (!volumes.some((volume) => volume.name === name)) errors.push(notFoundValue(`${at}.name`, name));
    if (mountPath === "") errors.push(required(`${at}.mountPath`));
    if (paths.has(mountPath)) errors.push(invalidValue(`${at}.mountPath`, mountPath, "must be unique"));
    paths.add(mountPath);
    if (subPath !== "") errors.push(...localPath(subPath, `${path}.subPath`));
    return errors;
  });
}
