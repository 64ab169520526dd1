import { link, open, readdir, rename, stat, unlink } from "node:fs/promises";
import { join } from "node:path";
import type { Clock } from "@kindling/outside";
import { holderText, identityOf, parseHolder, readText, socketOf, stateOfHolder, type Holder } from "./lock-holder.ts";

/*
 *   lock                    the holder of the folder
 *   lock.after.<nonce>      the only server that may replace that holder, or remove its lock
 *   lock.<nonce>            a contender, or the holder: its own name for the same file
 *   lock.<part of nonce>.sock
 *
 * A contender gets a name with `link`, which fails if the name exists already, so only one contender gets it. To replace
 * the name of another holder, a contender must first get `lock.after.<nonce of that holder>`, and the name must still be
 * that holder's. So two contenders that found the same holder dead cannot take the name from each other.
 */

/** A server that wants names of a data folder. */
export interface Contender {
  readonly nonce: string;
  /** Gets a name, if no running server has it. */
  take(path: string): Promise<boolean>;
  /** Gives a name up, unless another server has taken it over, or is about to. */
  giveUp(path: string): Promise<void>;
  /** Writes a beat into every name that it has. */
  beat(count: number): Promise<void>;
  /** Removes the files that only this contender uses. */
  close(): Promise<void>;
}

export interface ContenderOptions {
  readonly clock: Clock;
  readonly holder: Omit<Holder, "beat">;
  /** Default: the system's `link`. */
  readonly linkFile?: typeof link;
}

// Each further attempt means that another contender came and went in between.
const MOST_ATTEMPTS = 8;
// The age of files that were left by a contender that was killed before it had the lock.
const LEFT_OVER_MS = 24 * 3_600_000;

/** A contender, and the files that it has. */
interface LockAttempt extends ContenderOptions {
  readonly root: string;
  /** The contender's own file; its other names are hard links to it. */
  readonly own: string;
  /** If the file system has no hard links, each name is a file of its own. */
  readonly copies: Set<string>;
  /** The contents of these files. */
  text: string;
}

export async function contender(root: string, options: ContenderOptions): Promise<Contender> {
  const { nonce } = options.holder;
  const own = join(root, `lock.${nonce}`);
  const attempt: LockAttempt = { ...options, root, own, copies: new Set([own]), text: textOf(options, 0) };
  await create(own, attempt.text);
  return {
    nonce,
    take: (path) => take(attempt, path),
    async giveUp(path) {
      const right = afterPath(attempt, nonce);
      if (!(await place(attempt, right))) return;
      if (identityOf((await readText(path)) ?? "") === nonce) await drop(attempt, path);
      await drop(attempt, right);
    },
    async beat(count) {
      attempt.text = textOf(options, count);
      for (const path of attempt.copies) await overwrite(path, nonce, attempt.text);
    },
    close: () => drop(attempt, own),
  };
}

function textOf({ holder }: ContenderOptions, beat: number): string {
  return holderText({ ...holder, beat });
}

function afterPath({ root }: LockAttempt, identity: string): string {
  return join(root, `lock.after.${identity}`);
}

async function take(attempt: LockAttempt, path: string): Promise<boolean> {
  const { holder, clock } = attempt;
  for (let tried = 0; tried < MOST_ATTEMPTS; tried++) {
    if (await place(attempt, path)) return true;
    const seen = await readText(path);
    if (seen === undefined) continue;
    // A network file system may make a link and still report a failure.
    if (identityOf(seen) === holder.nonce) return true;
    const state = await stateOfHolder(path, seen, { clock, bootId: holder.bootId });
    if (state === "alive") return false;
    if (state === "dead" && (await takeOver(attempt, path, seen))) return true;
  }
  return false;
}

/** @returns `false` if there is such a file already */
async function place(attempt: LockAttempt, path: string): Promise<boolean> {
  const { own, copies, linkFile = link } = attempt;
  try {
    await linkFile(own, path);
    return true;
  } catch (error) {
    if (codeOf(error) === "EEXIST") return false;
    if (!NO_LINKS.has(codeOf(error))) throw error;
  }
  try {
    await create(path, attempt.text);
    copies.add(path);
    return true;
  } catch (error) {
    if (codeOf(error) === "EEXIST") return false;
    throw error;
  }
}

async function takeOver(attempt: LockAttempt, path: string, seen: string): Promise<boolean> {
  const right = afterPath(attempt, identityOf(seen));
  if (!(await take(attempt, right))) return false;
  try {
    // Another contender may have had the right before, and a holder that was paused may run again.
    if ((await readText(path)) !== seen) return false;
    await replace(attempt, path);
    await removeRemains(attempt.root, seen, attempt.clock);
    return true;
  } finally {
    await drop(attempt, right);
  }
}

async function replace(attempt: LockAttempt, path: string): Promise<void> {
  const { own, copies } = attempt;
  const fresh = `${own}.new`;
  await unlink(fresh).catch(ignoreAbsent);
  await place(attempt, fresh);
  await rename(fresh, path);
  if (copies.delete(fresh)) copies.add(path);
}

async function drop({ copies }: LockAttempt, path: string): Promise<void> {
  await unlink(path).catch(ignoreAbsent);
  copies.delete(path);
}

async function create(path: string, text: string): Promise<void> {
  const file = await open(path, "wx", 0o600);
  try {
    await file.write(text, 0);
    // If a loss of power left the lock empty, the next start would have to wait.
    await file.datasync();
  } catch (error) {
    await unlink(path);
    throw error;
  } finally {
    await file.close();
  }
}

/**
 * Writes into the file that was found to be this contender's, even if its name changes meanwhile. The file is not kept
 * open: a volume with a file that is open for writing cannot be made read-only.
 */
async function overwrite(path: string, nonce: string, text: string): Promise<void> {
  const file = await open(path, "r+");
  try {
    if (identityOf(await file.readFile("utf8")) === nonce) await file.write(text, 0);
  } finally {
    await file.close();
  }
}

/** Removes the files of a dead holder, and of contenders that were killed long ago. */
async function removeRemains(root: string, seen: string, clock: Clock): Promise<void> {
  const holder = parseHolder(seen);
  if (holder === undefined) return;
  const remains = [join(root, `lock.${holder.nonce}`), socketOf(root, holder)];
  for (const name of await readdir(root)) {
    if (!name.startsWith("lock.")) continue;
    const { mtimeMs } = await stat(join(root, name)).catch(() => ({ mtimeMs: Infinity }));
    if (clock.now() - mtimeMs > LEFT_OVER_MS) remains.push(join(root, name));
  }
  for (const path of remains) if (path !== undefined) await unlink(path).catch(() => undefined);
}

// Error codes of file systems without hard links.
const NO_LINKS: ReadonlySet<string> = new Set(["EPERM", "ENOTSUP", "EOPNOTSUPP", "ENOSYS", "EMLINK"]);

function codeOf(error: unknown): string {
  return (error as NodeJS.ErrnoException).code ?? "";
}

function ignoreAbsent(error: unknown): void {
  if (codeOf(error) !== "ENOENT") throw error;
}
