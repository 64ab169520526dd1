/** The rights of this many namespaces are asked about at the same time. */
const AT_ONCE = 8;

/** Those of some namespaces in which something is allowed. */
export async function allowedNamespaces(
  namespaces: Iterable<string>,
  isAllowed: (namespace: string) => Promise<boolean>,
): Promise<ReadonlySet<string>> {
  const left = new Set(namespaces).values();
  const allowed = new Set<string>();
  const work = async (): Promise<void> => {
    for (const namespace of left) if (await isAllowed(namespace)) allowed.add(namespace);
  };
  await Promise.all(Array.from({ length: AT_ONCE }, work));
  return allowed;
}
