import type { Random } from "@kindling/outside";
import { type Archive } from "../archive/archive.ts";
import { isName, type Run, runText } from "@kindling/recorder-client";
import { dayOf, INDEX_FOLDER, indexFolder } from "../archive/archive-paths.ts";
import { History, type HistoryQuery } from "./history.ts";

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
   * Reads the whole index, or, when it has been read before, what others have changed since then.
   *
   * @throws ArchiveError
   */
  async load(): Promise<void> {
    await this.#inTurn(async () => {
      const listed = new Map<string, string[]>(Array.from(this.#files.keys(), (folder) => [folder, []]));
      for await (const { path } of this.#options.archive.list(INDEX_FOLDER)) {
        const folder = folderOf(path);
        if (folder !== undefined) listed.set(folder, [...(listed.get(folder) ?? []), path]);
      }
      for (const [folder, paths] of listed) await this.#refresh(folder, paths);
    });
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
      for (const folder of byFolder(runs).keys()) {
        const files = await filesIn(archive, folder);
        // Somebody else may have added some: only files that are read may go.
        await this.#readNew(folder, files);
        runs.forEach(({ uid }) => history.remove(uid));
        await this.#rewrite(folder, files);
      }
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

  async #refresh(folder: string, paths: readonly string[]): Promise<void> {
    const known = this.#files.get(folder) ?? [];
    const listed = new Set(paths);
    const areAllThere = await this.#readNew(folder, paths);
    if (known.every((path) => listed.has(path)) || !areAllThere) return;
    // Files are gone: one that was written anew has their runs, besides those that are kept no longer.
    const { archive, history } = this.#options;
    const kept = new History();
    for (const path of paths) {
      const content = await archive.read(path);
      if (content === undefined) return;
      kept.load(content);
    }
    for (const { uid } of [...history.matching(dayQuery(folder))])
      if (kept.byUid(uid) === undefined) history.remove(uid);
    this.#files.set(folder, [...paths]);
  }

  /**
   * Reads the files that are not known.
   *
   * @returns whether all of them were there
   */
  async #readNew(folder: string, paths: readonly string[]): Promise<boolean> {
    const { archive, history, onBadLines } = this.#options;
    const known = new Set(this.#files.get(folder));
    let areAllThere = true;
    for (const path of paths) {
      if (known.has(path)) continue;
      const content = await archive.read(path);
      if (content === undefined) {
        areAllThere = false;
        continue;
      }
      const bad = history.load(content);
      if (bad > 0) onBadLines(path, bad);
      this.#note(folder, path);
    }
    return areAllThere;
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
    const runs = [...history.matching(dayQuery(folder))];
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

/** The runs of a folder: those of a namespace and of a day in UTC. */
function dayQuery(folder: string): HistoryQuery {
  const [namespace = "", day = ""] = folder.slice(INDEX_FOLDER.length + 1).split("/");
  const since = Date.parse(`${day}T00:00:00Z`);
  return { mayShow: () => true, namespace, since, until: since + 24 * 60 * 60_000 };
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
