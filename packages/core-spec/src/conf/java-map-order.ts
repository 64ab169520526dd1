// Spark keeps a configuration in a java.util.concurrent.ConcurrentHashMap and numbers some things in the order in which
// that map lists its keys (the SPARK_JAVA_OPT_<n> of an executor, the claims `…-pvc-<i>`). That order is a function of
// the keys alone, so it can be followed: bins by hash, a bin's nodes by insertion, bins split when the table doubles
// (OpenJDK 17, java/util/concurrent/ConcurrentHashMap.java, `putVal` and `transfer`). Left out is the conversion of a
// bin of eight or more nodes into a tree, which configurations do not reach.

/** `String.hashCode` of Java: a signed 32 bit integer. */
export function javaStringHash(text: string): number {
  let hash = 0;
  for (let index = 0; index < text.length; index++) hash = (Math.imul(31, hash) + text.charCodeAt(index)) | 0;
  return hash;
}

interface Node {
  readonly key: string;
  readonly hash: number;
}

/** The order in which a Java ConcurrentHashMap lists keys that were put in the given order. */
export function concurrentHashMapOrder(keys: Iterable<string>): string[] {
  let table: Node[][] = Array.from({ length: 16 }, () => []);
  let count = 0;
  for (const key of keys) {
    const plain = javaStringHash(key);
    const node: Node = { key, hash: (plain ^ (plain >>> 16)) & 0x7fffffff };
    table[node.hash & (table.length - 1)]?.push(node);
    count++;
    while (count >= table.length - (table.length >>> 2)) table = doubled(table);
  }
  return table.flat().map((node) => node.key);
}

/** Splits every bin in two. The tail that stays together keeps its order; what stands before it ends up reversed. */
function doubled(table: readonly (readonly Node[])[]): Node[][] {
  const size = table.length;
  const next: Node[][] = Array.from({ length: 2 * size }, () => []);
  table.forEach((bin, index) => {
    if (bin.length === 0) return;
    let lastRun = bin.length - 1;
    while (lastRun > 0 && side(bin[lastRun - 1], size) === side(bin[lastRun], size)) lastRun--;
    const split: [Node[], Node[]] = [[], []];
    split[side(bin[lastRun], size)] = bin.slice(lastRun);
    for (const node of bin.slice(0, lastRun)) split[side(node, size)].unshift(node);
    next[index] = split[0];
    next[index + size] = split[1];
  });
  return next;
}

function side(node: Node | undefined, size: number): 0 | 1 {
  return node !== undefined && (node.hash & size) !== 0 ? 1 : 0;
}
