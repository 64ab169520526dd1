import { readFile, stat } from "node:fs/promises";
import { KEEPER_KEPT, KEEPER_LABEL } from "@kindling/core-spec";

/** A file of labels is much smaller: Kubernetes limits all labels of a pod to 256 KiB. */
const MOST_BYTES = 1024 * 1024;

/** What the labels of a pod say about its executor: it runs, it has to end, or it is gone and only its files stay. */
export type ExecutorFate = "runs" | "has-to-end" | "gone";

/**
 * What a file of the downward API says about the executor. Each line has the form `key="value"`, with Go's escapes in the
 * value.
 */
export function executorFate(labels: string): ExecutorFate {
  const line = labels.split("\n").find((one) => one.startsWith(`${KEEPER_LABEL}=`));
  if (line === undefined) return "runs";
  return line.trim() === `${KEEPER_LABEL}="${KEEPER_KEPT}"` ? "gone" : "has-to-end";
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
  #fate: ExecutorFate = "runs";
  #isDone = false;
  /** While files are looked for: whether to look once more, because some were removed in the meantime. */
  #looking: "no" | "once" | "again" = "no";

  constructor(options: KeeperOptions) {
    this.#options = options;
  }

  /** Whether the executor may not go on, as far as the labels say at this moment. */
  async mustExecutorEnd(): Promise<boolean> {
    await this.readLabels();
    return this.#fate !== "runs";
  }

  /** Reads the labels if their file has changed. The kubelet replaces it by exchanging a link. */
  async readLabels(): Promise<void> {
    const { labelsFile } = this.#options;
    let fate: ExecutorFate;
    try {
      const { ino, dev, size, mtimeMs } = await stat(labelsFile);
      const seen = `${dev}:${ino}:${size}:${mtimeMs}`;
      if (seen === this.#seen || size > MOST_BYTES) return;
      fate = executorFate(await readFile(labelsFile, "utf8"));
      this.#seen = seen;
    } catch {
      // It is being replaced, or is not there yet: the next look finds it.
      return;
    }
    this.#fate = fate;
    await this.look();
  }

  /** Looks whether files are left. Call it when files were removed. */
  async look(): Promise<void> {
    if (this.#fate !== "gone" || this.#isDone) return;
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
    if (hasFiles || this.#isBack()) return;
    this.#isDone = true;
    this.#options.onEmpty();
  }

  #isBack(): boolean {
    return this.#fate !== "gone";
  }

  #isAgain(): boolean {
    return this.#looking === "again";
  }
}
