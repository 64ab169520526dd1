import type { Random } from "@kindling/outside";
import { type Archive } from "../archive/archive.ts";
import { isName, type Run, runText } from "@kindling/recorder-client";
import { dayOf, INDEX_FOLDER, indexFolder } from "../archive/archive-paths.ts";
import type { History } from "./history.ts";

/** A day whose runs are in more files than this gets one file instead. */
const MOST_FILES = 16;
const FILE = ".jsonl";

export interface RunIndexOptions {
  readonly archive: Archive;
  readonly history: History;
  readonly random: Pick<Random, "uuid">;
  /** Called with files that have lines that are no runs. */
  readonly onBadLines: (path: string, count: number) => void;
}

/**
 * The index of an archive: files with a run in each line, by namespace and by the day on which the runs ended. Runs that end at
 * about the same time get a file of their own, and later all files of a day become one. A run may be in several files, so
 * nothing is lost and nothing counts twice, wherever this process is killed.
 */
export class RunIndex {
  readonly #options: RunIndexOptions;
  /** The files of each day that has more than one, by folder. */
  readonly #files = new Map<string, string[]>();
  /** Runs that the next turn stores. */
  readonly #waiting: Run[] = [];
  #adding: Promise<void> | undefined;
  /** Changes of the files follow each other: while a day is written anew, nothing may be added to it. */
  #working: Promise<void> = Promise.resolve();

  constructor(options: RunIndexOptions) {
    this.#options = options;
  }

  /**
   * Reads the whole index.
   *
   * @throws ArchiveError
   */
  async load(): Promise<void> {
    const { archive, history, onBadLines } = this.#options;
    for await (const { path } of archive.list(INDEX_FOLDER)) {
      const folder = folderOf(path);
      if (folder === undefined) continue;
      const content = await archive.read(path);
      if (content === undefined) continue;
      const bad = history.load(content);
      if (bad > 0) onBadLines(path, bad);
      this.#note(folder, path);
    }
  }

  /**
   * Stores runs that have ended.
   *
   * @throws ArchiveError if some are not stored; then all of them may be stored again
   */
  async add(runs: readonly Run[]): Promise<void> {
    this.#waiting.push(...runs);
    // Runs that end while others are being stored are stored together.
    this.#adding ??= this.#inTurn(async () => {
      this.#adding = undefined;
      await this.#add(this.#waiting.splice(0));
    });
    await this.#adding;
  }

  /** Takes runs out whose files are gone. */
  async remove(runs: readonly Run[]): Promise<void> {
    await this.#inTurn(async () => {
      const { archive, history } = this.#options;
      runs.forEach(({ uid }) => history.remove(uid));
      for (const folder of byFolder(runs).keys()) await this.#rewrite(folder, await filesIn(archive, folder));
    });
  }

  #inTurn(work: () => Promise<void>): Promise<void> {
    const working = this.#working.then(work);
    // A failure is for the one who asked.
    this.#working = working.catch(() => undefined);
    return working;
  }

  async #add(runs: readonly Run[]): Promise<void> {
    const { archive, history, random } = this.#options;
    for (const [folder, some] of byFolder(runs)) {
      const path = `${folder}/${random.uuid()}${FILE}`;
      await archive.put(path, linesOf(some));
      some.forEach((run) => history.add(run));
      this.#note(folder, path);
      await this.#merge(folder);
    }
  }

  #note(folder: string, path: string): void {
    const files = this.#files.get(folder) ?? [];
    files.push(path);
    this.#files.set(folder, files);
  }

  async #merge(folder: string): Promise<void> {
    const files = this.#files.get(folder) ?? [];
    if (files.length > MOST_FILES) await this.#rewrite(folder, files);
  }

  /** The new file is stored before the old ones go. */
  async #rewrite(folder: string, files: readonly string[]): Promise<void> {
    const { archive, history, random } = this.#options;
    const [namespace = "", day = ""] = folder.slice(INDEX_FOLDER.length + 1).split("/");
    const runs = [...history.matching({ mayShow: () => true, namespace, ...boundsOf(day) })];
    const kept: string[] = [];
    if (runs.length > 0) {
      const path = `${folder}/${random.uuid()}${FILE}`;
      await archive.put(path, linesOf(runs));
      kept.push(path);
    }
    for (const file of files) await archive.delete(file);
    this.#files.set(folder, kept);
  }
}

function linesOf(runs: readonly Run[]): Buffer {
  return Buffer.from(runs.map((run) => `${runText(run)}\n`).join(""));
}

async function filesIn(archive: Archive, folder: string): Promise<string[]> {
  const files: string[] = [];
  for await (const { path } of archive.list(folder)) files.push(path);
  return files;
}

/** A day in UTC. */
function boundsOf(day: string): { readonly since: number; readonly until: number } {
  const since = Date.parse(`${day}T00:00:00Z`);
  return { since, until: since + 24 * 60 * 60_000 };
}

function folderOfRun({ namespace, ended }: Run): string {
  return indexFolder(namespace, dayOf(ended));
}

function byFolder(runs: readonly Run[]): ReadonlyMap<string, readonly Run[]> {
  const folders = new Map<string, Run[]>();
  for (const run of runs) {
    const folder = folderOfRun(run);
    folders.set(folder, [...(folders.get(folder) ?? []), run]);
  }
  return folders;
}

/** The folder of a file of the index; `undefined` for other files. */
function folderOf(path: string): string | undefined {
  const [namespace = "", day = "", file = "", ...more] = path.slice(INDEX_FOLDER.length + 1).split("/");
  if (more.length > 0 || !isName(namespace) || !isName(day) || !file.endsWith(FILE)) return undefined;
  return indexFolder(namespace, day);
}
