import { kubeError } from "../errors/kube-error.ts";
import { entryError, textField, type KubeconfigEntry } from "./kubeconfig-entry.ts";
import type { Kubeconfig } from "./parse-kubeconfig.ts";

/** A context with what it points to. */
export interface SelectedContext {
  readonly name: string;
  readonly namespace: string | undefined;
  readonly cluster: KubeconfigEntry;
  /** Absent if the context names no user: the caller is then anonymous. */
  readonly user: KubeconfigEntry | undefined;
}

/** The requested context, else the current one; undefined if none is requested and none is current. */
export function selectContext(config: Kubeconfig, wanted: string | undefined): SelectedContext | undefined {
  const name = wanted ?? config.currentContext;
  if (name === undefined) return undefined;
  const context = config.contexts.get(name);
  if (context === undefined) {
    const files = config.files.join(", ");
    const what = wanted === undefined ? `the current context "${name}"` : `context "${name}"`;
    throw kubeError({ kind: "config", file: config.files[0] }, `${what} is not in ${files}`, {
      hint: `there is ${quotedList(config.contexts)}`,
    });
  }
  const cluster = pointee(context, "cluster", config.clusters);
  if (cluster === undefined) throw entryError(context, "it names no cluster");
  return {
    name,
    namespace: textField(context, "namespace"),
    cluster,
    user: pointee(context, "user", config.users),
  };
}

function pointee(
  context: KubeconfigEntry,
  section: "cluster" | "user",
  entries: ReadonlyMap<string, KubeconfigEntry>,
): KubeconfigEntry | undefined {
  const name = textField(context, section);
  if (name === undefined) return undefined;
  const entry = entries.get(name);
  if (entry === undefined) {
    throw entryError(context, `there is no ${section} "${name}"`, `there is ${quotedList(entries)}`);
  }
  return entry;
}

function quotedList(entries: ReadonlyMap<string, unknown>): string {
  return entries.size === 0 ? "none" : [...entries.keys()].map((name) => `"${name}"`).join(", ");
}
