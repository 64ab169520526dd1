import type { KeyToPath, Volume, VolumeProjection } from "../../objects/pod.ts";
import { dnsLabel, duplicate, type FieldError, forbiddenField, invalidValue, required } from "@kindling/api-server";

/** What is wrong with a pod's volumes. */
export function validateVolumes(volumes: readonly Volume[], path: string): FieldError[] {
  const names = new Set<string>();
  return volumes.flatMap((volume, index) => {
    const at = `${path}[${index}]`;
    const errors = validateSource(volume, at);
    if (volume.name === "") errors.push(required(`${at}.name`));
    else errors.push(...dnsLabel(volume.name).map((why) => invalidValue(`${at}.name`, volume.name, why)));
    if (names.has(volume.name)) errors.push(duplicate(`${at}.name`, volume.name));
    names.add(volume.name);
    return errors;
  });
}

function validateSource(volume: Volume, at: string): FieldError[] {
  const kinds = Object.keys(volume).filter((key) => key !== "name");
  if (kinds.length === 0) return [required(at, "must specify a volume type")];
  const [first = "", ...others] = kinds;
  return [
    ...validateKind(volume, `${at}.${first}`),
    ...others.map((kind) => forbiddenField(`${at}.${kind}`, "may not specify more than 1 volume type")),
  ];
}

function validateKind(volume: Volume, path: string): FieldError[] {
  const { hostPath, configMap, secret, projected, persistentVolumeClaim, nfs } = volume;
  if (hostPath !== undefined)
    return hostPath.path === "" ? [required(`${path}.path`)] : noBacksteps(hostPath.path, `${path}.path`);
  if (configMap !== undefined) {
    return [...named(configMap.name, `${path}.name`), ...validateItems(configMap.items, `${path}.items`)];
  }
  if (secret !== undefined) {
    return [...named(secret.secretName, `${path}.secretName`), ...validateItems(secret.items, `${path}.items`)];
  }
  if (projected !== undefined) return validateProjections(projected.sources ?? [], path);
  if (persistentVolumeClaim !== undefined) return named(persistentVolumeClaim.claimName, `${path}.claimName`);
  return nfs === undefined ? [] : validateNfs(nfs, path);
}

function named(name: string | undefined, path: string): FieldError[] {
  return (name ?? "") === "" ? [required(path)] : [];
}

function validateNfs(nfs: NonNullable<Volume["nfs"]>, path: string): FieldError[] {
  const errors: FieldError[] = [];
  if (nfs.server === "") errors.push(required(`${path}.server`));
  if (nfs.path === "") errors.push(required(`${path}.path`));
  else if (!nfs.path.startsWith("/")) errors.push(invalidValue(`${path}.path`, nfs.path, "must be an absolute path"));
  return errors;
}

function validateProjections(sources: readonly VolumeProjection[], path: string): FieldError[] {
  return sources.flatMap(({ secret, configMap, serviceAccountToken: token }, index) => {
    const at = `${path}.sources[${index}]`;
    return [
      ...(secret === undefined ? [] : named(secret.name, `${at}.secret.name`)),
      ...(configMap === undefined ? [] : named(configMap.name, `${at}.configMap.name`)),
      ...(token === undefined ? [] : validateToken(token, path, `${at}.serviceAccountToken`)),
    ];
  });
}

function validateToken(token: { expirationSeconds?: number; path: string }, path: string, at: string): FieldError[] {
  const seconds = token.expirationSeconds ?? 3600;
  const field = `${at}.expirationSeconds`;
  const errors: FieldError[] = [];
  if (seconds < 600) errors.push(invalidValue(field, seconds, "may not specify a duration less than 10 minutes"));
  return [...errors, ...(token.path === "" ? [required(`${path}.path`)] : localPath(token.path, `${path}.path`))];
}

function validateItems(items: readonly KeyToPath[] | undefined, path: string): FieldError[] {
  return (items ?? []).flatMap((item, index) => {
    const at = `${path}[${index}]`;
    return [
      ...named(item.key, `${at}.key`),
      ...(item.path === "" ? [required(`${at}.path`)] : localPath(item.path, `${at}.path`)),
    ];
  });
}

/** What is wrong with a path that must stay inside of its volume. */
export function localPath(value: string, path: string): FieldError[] {
  const errors: FieldError[] = [];
  if (value.startsWith("/")) errors.push(invalidValue(path, value, "must be a relative path"));
  errors.push(...noBacksteps(value, path));
  if (value.startsWith("..") && !value.startsWith("../") && value !== "..") {
    errors.push(invalidValue(path, value, "must not start with '..'"));
  }
  return errors;
}

/** What is wrong with a path that leads upwards. */
function noBacksteps(value: string, path: string): FieldError[] {
  return value.split("/").includes("..") ? [invalidValue(path, value, "must not contain '..'")] : [];
}
