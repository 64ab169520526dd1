import { isAbsolute, join } from "node:path";
import { kubeError, type KubeError } from "../errors/kube-error.ts";
import { isFields, type Fields } from "../fields.ts";

/** A named entry of a kubeconfig, not parsed yet, and where it is. */
export interface KubeconfigEntry {
  readonly section: "cluster" | "user" | "context";
  readonly name: string;
  readonly fields: Readonly<Record<string, unknown>>;
  /** Path of its file. */
  readonly file: string;
  /** The folder for its relative paths. */
  readonly folder: string;
}

/** `user "admin" in /home/ann/.kube/config` */
export function describeEntry(entry: KubeconfigEntry): string {
  return `${entry.section} "${entry.name}" in ${entry.file}`;
}

export function entryError(entry: KubeconfigEntry, fault: string, hint?: string, cause?: unknown): KubeError {
  return kubeError({ kind: "config", file: entry.file }, `${describeEntry(entry)}: ${fault}`, { hint, cause });
}

/** A text field; absent and empty are the same, as for kubectl. */
export function textField(entry: KubeconfigEntry, key: string, fields: Fields = entry.fields): string | undefined {
  const value = fields[key];
  if (value === undefined || value === null || value === "") return undefined;
  if (typeof value !== "string")
    throw entryError(entry, `${key} must be text, not ${kindOf(value)}`, "put it in quotes");
  return value;
}

export function flagField(entry: KubeconfigEntry, key: string, fields: Fields = entry.fields): boolean {
  const value = fields[key];
  if (value === undefined || value === null) return false;
  if (typeof value === "boolean") return value;
  // Other words of YAML 1.1 that Go's parser accepts as booleans.
  if (typeof value === "string" && /^(yes|on|no|off)$/i.test(value)) return /^(yes|on)$/i.test(value);
  throw entryError(entry, `${key} must be true or false`);
}

export function textListField(
  entry: KubeconfigEntry,
  key: string,
  fields: Fields = entry.fields,
): string[] | undefined {
  const value = fields[key];
  if (value === undefined || value === null) return undefined;
  if (!Array.isArray(value) || !value.every((item) => typeof item === "string")) {
    throw entryError(entry, `${key} must be a list of texts`, "put numbers and booleans in quotes");
  }
  return value;
}

export function fieldsField(entry: KubeconfigEntry, key: string, fields: Fields = entry.fields): Fields | undefined {
  const value = fields[key];
  if (value === undefined || value === null) return undefined;
  if (!isFields(value)) throw entryError(entry, `${key} must hold fields, not ${kindOf(value)}`);
  return value;
}

/** A path; relative paths start from the kubeconfig's folder. */
export function pathField(entry: KubeconfigEntry, key: string): string | undefined {
  const path = textField(entry, key);
  return path === undefined || isAbsolute(path) ? path : join(entry.folder, path);
}

/** Text from `<key>-data` in base64, else from the file that `<key>` names; in a kubeconfig it is always PEM. */
export async function dataField(
  entry: KubeconfigEntry,
  key: string,
  readFile: (path: string) => Promise<string>,
): Promise<string | undefined> {
  const data = textField(entry, `${key}-data`);
  if (data !== undefined) return decodeBase64(entry, `${key}-data`, data);
  const path = pathField(entry, key);
  if (path === undefined) return undefined;
  try {
    return await readFile(path);
  } catch (error) {
    const code = (error as NodeJS.ErrnoException).code ?? String(error);
    throw entryError(entry, `${key}: ${path} cannot be read (${code})`, undefined, error);
  }
}

function decodeBase64(entry: KubeconfigEntry, key: string, data: string): string {
  const compact = data.replaceAll(/\s/g, "");
  // Buffer.from skips what it does not understand.
  if (!/^[A-Za-z0-9+/]+={0,2}$/.test(compact)) throw entryError(entry, `${key} is not base64`);
  return Buffer.from(compact, "base64").toString("utf8");
}

function kindOf(value: unknown): string {
  if (Array.isArray(value)) return "a list";
  return typeof value === "object" ? "fields" : `a ${typeof value}`;
}
