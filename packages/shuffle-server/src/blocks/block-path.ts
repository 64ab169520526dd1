import { nonNegativeHash } from "../protocol/java-text.ts";
import { RemoteError } from "../remote-error.ts";

/** Where a file of an executor is. */
export interface BlockPlace {
  /** The number of the local directory in the executor's list. */
  readonly directory: number;
  /** The path in it: `0e/shuffle_0_1_0.data`. */
  readonly path: string;
}

/**
 * Where an executor puts a file with this name. Counterpart of `ExecutorDiskUtils.getFilePath` (Spark 3.5.9 and 4.1.1), which
 * does what `DiskBlockManager.getFile` of the executor does.
 *
 * @throws RemoteError if there are no directories, as Spark's service fails
 */
export function blockPlace(name: string, directories: number, subDirsPerLocalDir: number): BlockPlace {
  if (directories === 0 || subDirsPerLocalDir === 0) {
    throw new RemoteError("executor", "java.lang.ArithmeticException", "/ by zero");
  }
  const hash = nonNegativeHash(name);
  const subDir = Math.trunc(hash / directories) % subDirsPerLocalDir;
  return { directory: hash % directories, path: `${subDir.toString(16).padStart(2, "0")}/${name}` };
}

/**
 * Whether a name is that of a file, and leads nowhere else. Counterpart of `ExternalShuffleBlockResolver.validateBlockId`
 * (Spark 3.5.9).
 */
export function isPlainName(name: string): boolean {
  // A name of a file has at most 255 bytes, so a longer one cannot be there.
  return name !== "" && name !== "." && name !== ".." && name.length <= 255 && !/[/\\\0]/.test(name);
}
