import { appendFile, mkdir, rm } from "node:fs/promises";
import { basename, join } from "node:path";
import { messageOf } from "@kindling/core-spec";
import type { Log } from "@kindling/service";
import { parsePodLife, type PodLife } from "@kindling/recorder-client";
import { readIfThere } from "@kindling/stores";
import type { Archive } from "../archive/archive.ts";
import { dayOf } from "../archive/archive-paths.ts";
import type { SparkPod } from "../cluster/spark-pod.ts";
import type { History } from "../runs/history.ts";
import { keptDriver, spoolFolders } from "../spool/spool-folders.ts";
import { continueLogs } from "./continue-logs.ts";
import { copiedRuns, deleteCopy, fetchCopy, reopenCopy } from "./spool-copy.ts";

export interface TakeOverOptions {
  readonly archive: Archive;
  readonly history: Pick<History, "byUid">;
  readonly folder: string;
  /** The drivers that there are. */
  readonly drivers: () => readonly SparkPod[];
  readonly log: Pick<Log, "info" | "warn">;
}

/** The copies of the recorder that had this same folder are of no use: the folder itself has gone on. */
export async function reopenCopies({ archive }: Pick<TakeOverOptions, "archive">): Promise<void> {
  for (const uid of await copiedRuns(archive)) await reopenCopy(archive, uid);
}

/**
 * Goes on where another recorder has ended, whose disk is not here: with its copies, and after what it has stored.
 *
 * @throws ArchiveError
 */
export async function takeOver(options: TakeOverOptions): Promise<void> {
  const { archive, history, folder, drivers, log } = options;
  const taken = new Map<string, "whole" | "in part">();
  for (const uid of await copiedRuns(archive)) {
    if (history.byUid(uid) === undefined) taken.set(uid, await fetchRun(archive, uid, join(folder, uid)));
    else await deleteCopy(archive, uid);
  }
  const here = (await spoolFolders(folder)).map((run) => basename(run));
  const unstored = drivers().filter(({ uid }) => history.byUid(uid) === undefined);
  const known = new Map(unstored.map((driver) => [driver.uid, driver]));
  for (const uid of new Set([...here, ...known.keys()])) {
    if (taken.get(uid) === "whole") continue;
    const own = join(folder, uid);
    try {
      const driver = known.get(uid) ?? (await keptDriver(own));
      if (driver !== undefined && history.byUid(uid) === undefined) await continueRun(archive, driver, own);
    } catch (error) {
      log.warn("a run cannot be taken over", { uid, error: messageOf(error) });
    }
  }
  log.info("another recorder has recorded before", { taken: taken.size });
}

/** Another recorder may have stored more of the logs than is known here. */
async function continueRun(archive: Archive, driver: SparkPod, folder: string): Promise<void> {
  const { namespace, name, uid, created } = driver;
  // This folder, if it is there, is older than what the other recorder has stored.
  for (const old of ["logs", "logs.jsonl"]) await rm(join(folder, old), { recursive: true, force: true });
  if (!Number.isFinite(created)) return;
  const ended = new Set((await livesIn(folder)).map(({ executor }) => `executor-${executor ?? ""}`));
  await continueLogs(archive, { namespace, day: dayOf(created), driver: name, uid }, { folder, ended });
}

async function fetchRun(archive: Archive, uid: string, folder: string): Promise<"whole" | "in part"> {
  const own = (await readIfThere(join(folder, LIVES))) ?? "";
  await rm(folder, { recursive: true, force: true });
  await mkdir(folder, { recursive: true, mode: 0o700 });
  const isWhole = await fetchCopy(archive, uid, folder);
  await addLives(folder, own);
  await reopenCopy(archive, uid);
  return isWhole ? "whole" : "in part";
}

const LIVES = "lives.jsonl";

async function livesIn(folder: string): Promise<readonly PodLife[]> {
  const text = (await readIfThere(join(folder, LIVES))) ?? "";
  return text.split("\n").flatMap((line) => parsePodLife(line) ?? []);
}

/** This process may have recorded ends that the other one has not seen. */
async function addLives(folder: string, text: string): Promise<void> {
  const known = new Set((await livesIn(folder)).map(({ uid }) => uid));
  const more = text.split("\n").filter((line) => {
    const life = parsePodLife(line);
    return life !== undefined && !known.has(life.uid);
  });
  if (more.length > 0) await appendFile(join(folder, LIVES), `${more.join("\n")}\n`, { mode: 0o600 });
}
