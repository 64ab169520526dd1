import { dirname, resolve } from "node:path";
import { kubeError, type KubeError } from "../errors/kube-error.ts";
import { isFields } from "../fields.ts";
import type { KubeconfigEntry } from "./kubeconfig-entry.ts";
import { parsePlainYaml } from "./plain-yaml.ts";

/** What one or several kubeconfig files say. */
export interface Kubeconfig {
  /** The files that it was read from, in order. */
  readonly files: readonly string[];
  readonly currentContext: string | undefined;
  readonly clusters: ReadonlyMap<string, KubeconfigEntry>;
  readonly users: ReadonlyMap<string, KubeconfigEntry>;
  readonly contexts: ReadonlyMap<string, KubeconfigEntry>;
}

/**
 * Reads the text of a kubeconfig (`v1 Config`), YAML or JSON. Undefined if it is empty. Throws a KubeError that names the
 * file and, for bad syntax, line and column.
 */
export async function parseKubeconfig(text: string, file: string): Promise<Kubeconfig | undefined> {
  const document = await parseDocument(text, file);
  if (document === undefined || document === null) return undefined;
  if (!isFields(document)) throw fileError(file, "it does not hold a kubeconfig");
  const currentContext = document["current-context"];
  if (typeof currentContext !== "string" && currentContext !== undefined && currentContext !== null) {
    throw fileError(file, "current-context must be text", "put it in quotes");
  }
  return {
    files: [file],
    currentContext: currentContext === "" || currentContext === null ? undefined : currentContext,
    clusters: entriesOf(document, "clusters", "cluster", file),
    users: entriesOf(document, "users", "user", file),
    contexts: entriesOf(document, "contexts", "context", file),
  };
}

/** For each entry and for the current context, the first file that has it wins, as kubectl merges `KUBECONFIG`'s list. */
export function mergeKubeconfigs(configs: readonly Kubeconfig[]): Kubeconfig {
  const merge = (pick: (config: Kubeconfig) => ReadonlyMap<string, KubeconfigEntry>): Map<string, KubeconfigEntry> =>
    new Map(configs.toReversed().flatMap((config) => [...pick(config)]));
  return {
    files: configs.flatMap((config) => config.files),
    currentContext: configs.map((config) => config.currentContext).find((context) => context !== undefined),
    clusters: merge((config) => config.clusters),
    users: merge((config) => config.users),
    contexts: merge((config) => config.contexts),
  };
}

async function parseDocument(text: string, file: string): Promise<unknown> {
  if (/^\s*$/.test(text)) return undefined;
  if (/^\s*\{/.test(text)) {
    try {
      return JSON.parse(text);
    } catch {
      // A YAML flow mapping begins like JSON; the YAML parser also says where the fault is.
    }
  }
  const plain = parsePlainYaml(text);
  if (plain !== undefined) return plain;
  const { parseDocument: parseYaml } = await import("yaml");
  const document = parseYaml(text);
  const [fault] = document.errors;
  if (fault !== undefined) {
    const [words = "bad syntax"] = fault.message.split(" at line ");
    const position = fault.linePos?.[0];
    const where = position === undefined ? "" : ` at line ${position.line}, column ${position.col}`;
    throw fileError(file, `it is neither YAML nor JSON: ${words}${where}`);
  }
  return document.toJS();
}

function entriesOf(
  document: Readonly<Record<string, unknown>>,
  list: "clusters" | "users" | "contexts",
  section: KubeconfigEntry["section"],
  file: string,
): Map<string, KubeconfigEntry> {
  const entries = new Map<string, KubeconfigEntry>();
  const value = document[list] ?? [];
  if (!Array.isArray(value)) throw fileError(file, `${list} must be a list`);
  for (const [index, item] of value.entries()) {
    if (!isFields(item) || typeof item["name"] !== "string" || item["name"] === "") {
      throw fileError(file, `${list}[${index}] has no name`);
    }
    const { name } = item;
    const fields = item[section] ?? {};
    if (!isFields(fields)) throw fileError(file, `${section} "${name}" must hold fields`);
    if (entries.has(name)) throw fileError(file, `there are two of ${section} "${name}"`);
    entries.set(name, { section, name, fields, file, folder: dirname(resolve(file)) });
  }
  return entries;
}

function fileError(file: string, fault: string, hint?: string): KubeError {
  return kubeError({ kind: "config", file }, `kubeconfig ${file}: ${fault}`, { hint });
}
