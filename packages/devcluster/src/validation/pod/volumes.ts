import type { DownwardFile, KeyToPath, Volume, VolumeProjection } from "../../../objects/pod.ts";
import { type FieldError, forbiddenField, invalidValue, notSupported, required, duplicate } from "../field-error.ts";
import { dnsLabel } from "../names.ts";
import { validateFieldRef, validateResourceField } from "./env.ts";

const FILE_MODE = "must be a number between 0 and 0777 (octal), both inclusive";
const DOWNWARD_FIELDS = [
  "metadata.annotations",
  "metadata.labels",
  "metadata.name",
  "metadata.namespace",
  "metadata.uid",
];
const HOST_PATH_TYPES = [
  "",
  "BlockDevice",
  "CharDevice",
  "Directory",
  "DirectoryOrCreate",
  "File",
  "FileOrCreate",
  "Socket",
];

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
  const { hostPath, configMap, secret, downwardAPI, projected, persistentVolumeClaim, nfs, emptyDir } = volume;
  if (hostPath !== undefined) return validateHostPath(hostPath, path);
  if (emptyDir !== undefined) return [];
  if (configMap !== undefined) {
    return [
      ...((configMap.name ?? "") === "" ? [required(`${path}.name`)] : []),
      ...validateMode(configMap.defaultMode, `${path}.defaultMode`),
      ...validateItems(configMap.items, `${path}.items`),
    ];
  }
  if (secret !== undefined) {
    return [
      ...((secret.secretName ?? "") === "" ? [required(`${path}.secretName`)] : []),
      ...validateMode(secret.defaultMode, `${path}.defaultMode`),
      ...validateItems(secret.items, `${path}.items`),
    ];
  }
  if (downwardAPI !== undefined) {
    return [...validateMode(downwardAPI.defaultMode, `${path}.defaultMode`), ...validateFiles(downwardAPI.items, path)];
  }
  if (projected !== undefined) {
    return [
      ...validateMode(projected.defaultMode, `${path}.defaultMode`),
      ...validateProjections(projected.sources ?? [], path),
    ];
  }
  if (persistentVolumeClaim !== undefined) {
    return persistentVolumeClaim.claimName === "" ? [required(`${path}.claimName`)] : [];
  }
  if (nfs !== undefined) return validateNfs(nfs, path);
  return [];
}

function validateHostPath(hostPath: NonNullable<Volume["hostPath"]>, path: string): FieldError[] {
  if (hostPath.path === "") return [required(`${path}.path`)];
  const errors = noBacksteps(hostPath.path, `${path}.path`);
  if (hostPath.type !== undefined && !HOST_PATH_TYPES.includes(hostPath.type)) {
    errors.push(notSupported(`${path}.type`, hostPath.type, HOST_PATH_TYPES));
  }
  return errors;
}

function validateNfs(nfs: NonNullable<Volume["nfs"]>, path: string): FieldError[] {
  const errors: FieldError[] = [];
  if (nfs.server === "") errors.push(required(`${path}.server`));
  if (nfs.path === "") errors.push(required(`${path}.path`));
  else if (!nfs.path.startsWith("/")) errors.push(invalidValue(`${path}.path`, nfs.path, "must be an absolute path"));
  return errors;
}

function validateProjections(sources: readonly VolumeProjection[], path: string): FieldError[] {
  const taken = new Set<string>();
  return sources.flatMap((source, index) => {
    const at = `${path}.sources[${index}]`;
    const kinds = Object.keys(source);
    const errors: FieldError[] = [];
    if (kinds.length > 1) {
      errors.push(forbiddenField(`${at}.${kinds[1] ?? ""}`, "may not specify more than 1 volume type per source"));
    }
    const named = source.secret ?? source.configMap;
    const kind = source.secret === undefined ? "configMap" : "secret";
    if (named !== undefined) {
      if ((named.name ?? "") === "") errors.push(required(`${at}.${kind}.name`));
      errors.push(...validateItems(named.items, `${at}.${kind}.items`));
    }
    const token = source.serviceAccountToken;
    if (token !== undefined) errors.push(...validateToken(token, path, `${at}.serviceAccountToken`));
    if (source.downwardAPI !== undefined) errors.push(...validateFiles(source.downwardAPI.items, `${at}.downwardAPI`));
    const paths = [...(named?.items ?? []), ...(source.downwardAPI?.items ?? [])].map((item) => item.path);
    for (const file of paths) {
      if (taken.has(file)) errors.push(invalidValue(path, file, "conflicting duplicate paths"));
      taken.add(file);
    }
    return errors;
  });
}

function validateToken(token: { expirationSeconds?: number; path: string }, path: string, at: string): FieldError[] {
  const errors: FieldError[] = [];
  const seconds = token.expirationSeconds ?? 3600;
  const field = `${at}.expirationSeconds`;
  if (seconds < 600) errors.push(invalidValue(field, seconds, "may not specify a duration less than 10 minutes"));
  if (seconds > 2 ** 32)
    errors.push(invalidValue(field, seconds, "may not specify a duration larger than 2^32 seconds"));
  if (token.path === "") errors.push(required(`${path}.path`));
  else errors.push(...localPath(token.path, `${path}.path`));
  return errors;
}

function validateItems(items: readonly KeyToPath[] | undefined, path: string): FieldError[] {
  return (items ?? []).flatMap((item, index) => {
    const at = `${path}[${index}]`;
    return [
      ...(item.key === "" ? [required(`${at}.key`)] : []),
      ...(item.path === "" ? [required(`${at}.path`)] : localPath(item.path, `${at}.path`)),
      ...validateMode(item.mode, `${at}.mode`),
    ];
  });
}

function validateFiles(files: readonly DownwardFile[] | undefined, path: string): FieldError[] {
  return (files ?? []).flatMap((file) => {
    const errors = file.path === "" ? [required(`${path}.path`)] : localPath(file.path, `${path}.path`);
    const { fieldRef, resourceFieldRef } = file;
    if (fieldRef !== undefined) {
      errors.push(...validateFieldRef(fieldRef.fieldPath, DOWNWARD_FIELDS, `${path}.fieldRef`));
      if (resourceFieldRef !== undefined) {
        errors.push(
          invalidValue(path, "resource", "fieldRef and resourceFieldRef can not be specified simultaneously"),
        );
      }
    } else if (resourceFieldRef !== undefined) {
      if ((resourceFieldRef.containerName ?? "") === "")
        errors.push(required(`${path}.resourceFieldRef.containerName`));
      errors.push(...validateResourceField(resourceFieldRef.resource, `${path}.resourceFieldRef`));
    } else {
      errors.push(required(path, "one of fieldRef and resourceFieldRef is required"));
    }
    return [...errors, ...validateMode(file.mode, `${path}.mode`)];
  });
}

function validateMode(mode: number | undefined, path: string): FieldError[] {
  return mode === undefined || (mode >= 0 && mode <= 0o777) ? [] : [invalidValue(path, mode, FILE_MODE)];
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
export function noBacksteps(value: string, path: string): FieldError[] {
  return value.split("/").includes("..") ? [invalidValue(path, value, "must not contain '..'")] : [];
}
