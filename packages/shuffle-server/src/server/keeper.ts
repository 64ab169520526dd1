import { readFile, stat } from "node:fs/promises";

/** The label of a pod whose executor has ended, and which only keeps its shuffle files. */
export const KEEPER_LABEL = "scheduler.kindling/keeper";
/** A file of labels is much smaller: Kubernetes limits all labels of a pod to 256 KiB. */
const MOST_BYTES = 1024 * 1024;

/**
 * Whether a file of the downward API says that the pod is a keeper. Each line has the form `key="value"`, with Go's escapes in
 * the value.
 */
export function saysKeeper(labels: string): boolean {
  return labels.split("\n").some((line) => line.trim() === `${KEEPER_LABEL}="true"`);
}

export interface KeeperOptions {
  readonly labelsFile: string;
  readonly hasFiles: () => Promise<boolean>;
  /** The executor has ended, and none of its files is left. It is called once. */
  readonly onEmpty: () => void;
}

/**
 * Finds out when the server has nothing to do any more: when the pod's labels say that the executor has ended, and the last of
 * its files is gone.
 */
export class Keeper {
  readonly #options: KeeperOptions;
  #seen = "";
  #isKeeper = false;
  #isDone = false;
  /** While files are looked for: whether to look once more, because some were removed in the meantime. */
  #looking: "no" | "once" | "again" = "no";

  constructor(options: KeeperOptions) {
    this.#options = options;
  }

  get isKeeper(): boolean {
    return this.#isKeeper;
  }

  /** Reads the labels if their file has changed. The kubelet replaces it by exchanging a link. */
  async readLabels(): Promise<void> {
    const { labelsFile } = this.#options;
    let isKeeper: boolean;
    try {
      const { ino, dev, size, mtimeMs } = await stat(labelsFile);
      const seen = `${dev}:${ino}:${size}:${mtimeMs}`;
      if (seen === this.#seen || size > MOST_BYTES) return;
      isKeeper = saysKeeper(await readFile(labelsFile, "utf8"));
      this.#seen = seen;
    } catch {
      // It is being replaced, or is not there yet: the next look finds it.
      return;
    }
    this.#isKeeper = isKeeper;
    if (isKeeper) await this.look();
  }

  /** Looks whether files are left. Call it when files were removed. */
  async look(): Promise<void> {
    if (!this.#isKeeper || this.#isDone) return;
    if (this.#looking !== "no") {
      this.#looking = "again";
      return;
    }
    let hasFiles: boolean;
    do {
      this.#looking = "once";
      hasFiles = await this.#options.hasFiles();
    } while (this.#isAgain());
    this.#looking = "no";
    if (hasFiles || !this.#isKeeper) return;
    this.#isDone = true;
    this.#options.onEmpty();
  }

  #isAgain(): boolean {
    return this.#looking === "again";
  }
}
