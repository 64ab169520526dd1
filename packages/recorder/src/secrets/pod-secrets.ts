import { secretsInObjects } from "@kindling/submit";
import type { Container, Pod } from "kubernetes-types/core/v1.js";
import { SUSPICIOUS } from "./suspicious.ts";

/** What the variables, arguments, labels and annotations of a pod hold that may be shown nowhere. */
export function podSecrets({ metadata, spec }: Pod): readonly string[] {
  const labels = suspicious(metadata?.labels);
  const annotations = suspicious(metadata?.annotations);
  const containers = [...(spec?.initContainers ?? []), ...(spec?.containers ?? [])].flatMap(userTexts);
  const hasNone = labels === undefined && annotations === undefined && containers.length === 0;
  return hasNone ? [] : secretsInObjects([{ labels, annotations }, ...containers]);
}

type Texts = Readonly<Record<string, string>>;

/** The entries that may hold a secret: this is done for each change of each pod. */
function suspicious(texts: Texts | undefined): Texts | undefined {
  const entries = Object.entries(texts ?? {}).filter(([key, value]) => SUSPICIOUS.test(key) || SUSPICIOUS.test(value));
  return entries.length === 0 ? undefined : Object.fromEntries(entries);
}

/** The rest of a container is Kubernetes' own. */
function userTexts({ env = [], args = [], command = [] }: Container): object[] {
  const variables = env.filter(({ name, value = "" }) => SUSPICIOUS.test(name) || SUSPICIOUS.test(value));
  // An argument may be the value of the one before it.
  const words = [args, command].filter((list) => list.some((word) => SUSPICIOUS.test(word)));
  return variables.length === 0 && words.length === 0 ? [] : [{ env: variables, args: words.flat() }];
}
