import { ProblemError } from "./problem.ts";
import type { Reader } from "./readers.ts";

/** The rights of this many namespaces are asked for at the same time. */
const AT_ONCE = 8;

/**
 * The namespaces that a reader may read.
 *
 * @param wanted the requested namespaces; all of them if undefined
 * @throws ProblemError `forbidden` for a requested namespace, `unavailable`
 */
export async function visibleNamespaces(
  reader: Reader,
  known: readonly string[],
  wanted?: readonly string[],
): Promise<(namespace: string) => boolean> {
  if (wanted !== undefined) {
    const refused = await firstRefused(reader, wanted);
    if (refused !== undefined) throw forbidden(reader, refused);
    return (namespace) => wanted.includes(namespace);
  }
  if (await reader.mayRead(undefined)) return () => true;
  const visible = new Set(await readableOf(reader, known));
  return (namespace) => visible.has(namespace);
}

/** Those of some namespaces that a reader may read, in no order. */
export async function readableOf(reader: Reader, namespaces: readonly string[]): Promise<readonly string[]> {
  const left = namespaces.values();
  const readable: string[] = [];
  const ask = async (): Promise<void> => {
    for (const namespace of left) if (await reader.mayRead(namespace)) readable.push(namespace);
  };
  await Promise.all(Array.from({ length: AT_ONCE }, ask));
  return readable;
}

async function firstRefused(reader: Reader, wanted: readonly string[]): Promise<string | undefined> {
  const readable = new Set(await readableOf(reader, wanted));
  return wanted.find((namespace) => !readable.has(namespace));
}

function forbidden({ subject }: Reader, namespace: string): ProblemError {
  return new ProblemError("forbidden", `${subject} may not read the logs of namespace ${namespace}`, {
    hint: "let an administrator grant it: the right to get pods/log in that namespace",
  });
}
