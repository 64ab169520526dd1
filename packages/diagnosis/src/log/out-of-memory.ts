/** The kind of memory that a process used up. */
export type MemoryKind = "heap" | "gc" | "metaspace" | "direct" | "threads" | "array" | "native";

export interface OutOfMemory {
  /** The process: the driver, or an executor (with its id if the driver reports it). */
  readonly of: "driver" | "executor";
  readonly executor: string | undefined;
  readonly kind: MemoryKind;
  /** The JVM's own line. */
  readonly line: string;
}

const ERROR =
  /\w\.OutOfMemoryError|OutOfDirectMemoryError|There is insufficient memory for the Java Runtime Environment/;

// HotSpot's messages (universe.cpp, os_linux.cpp, Bits.java), Netty's and Spark's own.
const KINDS: readonly (readonly [words: RegExp, kind: MemoryKind])[] = [
  [/GC overhead limit exceeded/, "gc"],
  [/Metaspace|Compressed class space|PermGen/, "metaspace"],
  [/direct (?:buffer )?memory|OutOfDirectMemoryError/i, "direct"],
  [/unable to create (?:new )?native thread/, "threads"],
  [
    /Requested array size exceeds VM limit|Required length exceeds implementation limit|UTF16 String size|hugeCapacity/,
    "array",
  ],
  [
    /Map failed|insufficient memory for the Java Runtime|Cannot allocate memory|Out of swap space|request \d+ bytes for/,
    "native",
  ],
];

/** What a line says about full memory; the process only if the line names it. */
export function outOfMemory(line: string): Omit<OutOfMemory, "of"> | undefined {
  if (!ERROR.test(line)) return undefined;
  const [, executor] = /\(TID \d+(?:\)|,)[^)]*?\bexecutor (\w+)\)/.exec(line) ?? [];
  const kind = KINDS.find(([words]) => words.test(line))?.[1] ?? "heap";
  return { executor: executor === "driver" ? undefined : executor, kind, line };
}
