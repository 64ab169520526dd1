import { formatObject, formatOf, type CommandContext, type CommandLine } from "@kindling/command-line";
import { KindlingError } from "@kindling/core-spec";
import { kubeconfigContexts } from "@kindling/kube";
import { roleObjects, type Purpose, type Subject } from "@kindling/submit";
import { OBJECT_FORMATS } from "./output-formats.ts";

const PURPOSES: readonly Purpose[] = ["submitter", "driver"];

/**
 * `kindling rbac PURPOSE`: the Role for submitters or drivers, and its binding, for `kubectl apply`. Drivers of the gateway
 * need none.
 */
export async function rbacCommand(line: CommandLine, { output, outside }: CommandContext): Promise<number> {
  const [word = ""] = line.operands;
  const purpose = PURPOSES.find((one) => one === word);
  if (purpose === undefined) {
    const mistake = word === "" ? "a role for whom?" : `${word}: not known;`;
    throw new KindlingError("ARGUMENT_INVALID", `${mistake} submitter or driver`);
  }
  const namespace = line.value("namespace") ?? (await namespaceOfContext(outside));
  if (namespace === undefined)
    throw new KindlingError("ARGUMENT_INVALID", "in which namespace?", { hint: "name it with -n" });
  const objects = roleObjects(purpose, namespace, subjectOf(line, namespace));
  const format = formatOf(line, OBJECT_FORMATS);
  output.out(
    format === "json"
      ? await formatObject({ apiVersion: "v1", kind: "List", items: objects }, format)
      : (await import("@kindling/command-line/yaml")).formatYaml(objects),
  );
  return 0;
}

function subjectOf(line: CommandLine, namespace: string): Subject {
  const [user, group, account] = ["user", "group", "serviceaccount"].map((name) => line.value(name));
  const given: Subject[] = [
    ...(user === undefined ? [] : [{ kind: "User", name: user } as const]),
    ...(group === undefined ? [] : [{ kind: "Group", name: group } as const]),
    ...(account === undefined
      ? []
      : [{ kind: "ServiceAccount", name: account.includes(":") ? account : `${namespace}:${account}` } as const]),
  ];
  const [subject] = given;
  if (subject === undefined || given.length > 1) {
    const mistake = subject === undefined ? "to whom? name one of" : "only one can be given of";
    throw new KindlingError("ARGUMENT_INVALID", `${mistake} --user, --group, --serviceaccount`);
  }
  return subject;
}

/** As in all other commands; the role is only printed, so the cluster need not exist. */
async function namespaceOfContext(outside: CommandContext["outside"]): Promise<string | undefined> {
  return (await kubeconfigContexts(outside)).find(({ isCurrent }) => isCurrent)?.namespace;
}
