import { ProblemError } from "./problem.ts";
import type { Reader } from "./readers.ts";

/** The rights of this many namespaces are asked for at the same time. */
const AT_ONCE = 8;

/**
 * The namespaces that a reader may read.
 *
 * @param wanted the requested namespace; all of them if undefined
 * @throws ProblemError `forbidden` for the requested namespace, `unavailable`
 */
export async function visibleNamespaces(
  reader: Reader,
  known: readonly string[],
  wanted: string | undefined,
): Promise<(namespace: string) => boolean> {
  if (wanted !== undefined) {
    if (!(await reader.mayRead(wanted))) throw forbidden(reader, wanted);
    return (namespace) => namespace === wanted;
  }
  if (await reader.mayRead(undefined)) return () => true;
  const left = known.values();
  const visible = new Set<string>();
  const ask = async (): Promise<void> => {
    for (const namespace of left) if (await reader.mayRead(namespace)) visible.add(namespace);
  };
  await Promise.all(Array.from({ length: AT_ONCE }, ask));
  return (namespace) => visible.has(namespace);
}

function forbidden({ subject }: Reader, namespace: string): ProblemError {
  return new ProblemError("forbidden", `${subject} may not read the logs of namespace ${namespace}`, {
    hint: "let an administrator grant it: the right to get pods/log in that namespace",
  });
}
