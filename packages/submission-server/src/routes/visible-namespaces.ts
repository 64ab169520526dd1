import type { Identity } from "../auth/authenticator.ts";
import { demand } from "../http/caller.ts";
import type { ServiceContext } from "./service-context.ts";

/** The rights of this many namespaces are checked at the same time. */
const AT_ONCE = 8;

/**
 * The namespaces with applications that a client may see.
 *
 * @param wanted the requested namespace; all of them if undefined
 * @throws ProblemError `forbidden` for the requested namespace
 */
export async function visibleNamespaces(
  { applications, submissions }: Pick<ServiceContext, "applications" | "submissions">,
  caller: Identity,
  wanted: string | undefined,
): Promise<(namespace: string) => boolean> {
  if (wanted !== undefined) {
    const namespace = submissions.servedNamespace(wanted);
    await demand(caller, "view", namespace);
    return (each) => each === namespace;
  }
  const all = [...new Set([...applications.all()].map(({ namespace }) => namespace))].values();
  const visible = new Set<string>();
  const ask = async (): Promise<void> => {
    for (const namespace of all) if ((await caller.may("view", namespace)).allowed) visible.add(namespace);
  };
  await Promise.all(Array.from({ length: AT_ONCE }, ask));
  return (namespace) => visible.has(namespace);
}
