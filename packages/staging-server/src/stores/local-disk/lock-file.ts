import { link, open, readdir, rename, stat, unlink } from "node:fs/promises";
import { join } from "node:path";
import type { Clock } from "@kindling/outside";
import { holderText, identityOf, parseHolder, readText, socketOf, stateOfHolder, type Holder } from "./lock-holder.ts";

/*
 *   lock                    who has the folder
 *   lock.after.<nonce>      who may take the place of that holder, or remove its lock: nobody else may
 *   lock.<nonce>            a contender, or the holder: the same file under a name of its own
 *   lock.<part of nonce>.sock
 *
 * A name is got by `link`, which fails where it is there already: one contender gets it. What another one has is replaced
 * only by whoever has got `lock.after.<nonce of that one>`, and only if it still is that one's; so two contenders who
 * found the same holder dead cannot take the name from each other.
 */

/** Somebody who wants names of a data folder. */
export interface Contender {
  readonly nonce: string;
  /** Gets a name, if nobody has it who still runs. */
  take(path: string): Promise<boolean>;
  /** Gives a name up, unless somebody else has taken it over, or is about to. */
  giveUp(path: string): Promise<void>;
  /** Writes a beat into every name that it has. */
  beat(count: number): Promise<void>;
  /** Removes what is this contender's alone. */
  close(): Promise<void>;
}

export interface ContenderOptions {
  readonly clock: Clock;
  readonly holder: Omit<Holder, "beat">;
  /** Default: that of the system. */
  readonly linkFile?: typeof link;
}

// Each further attempt means that somebody else came, and went again, in between.
const MOST_ATTEMPTS = 8;
// What a contender leaves that was killed before it had the lock.
const LEFT_OVER_MS = 24 * 3_600_000;

/** Who wants the names, and the files that it has. */
interface Claim extends ContenderOptions {
  readonly root: string;
  /** The contender's own file, which its names are second names of. */
  readonly own: string;
  /** Where a file cannot have two names, each name is a file of its own. */
  readonly copies: Set<string>;
  /** What stands in them. */
  text: string;
}

export async function contender(root: string, options: ContenderOptions): Promise<Contender> {
  const { nonce } = options.holder;
  const own = join(root, `lock.${nonce}`);
  const claim: Claim = { ...options, root, own, copies: new Set([own]), text: textOf(options, 0) };
  await create(own, claim.text);
  return {
    nonce,
    take: (path) => take(claim, path),
    async giveUp(path) {
      const right = afterPath(claim, nonce);
      if (!(await place(claim, right))) return;
      if (identityOf((await readText(path)) ?? "") === nonce) await drop(claim, path);
      await drop(claim, right);
    },
    async beat(count) {
      claim.text = textOf(options, count);
      for (const path of claim.copies) await overwrite(path, nonce, claim.text);
    },
    close: () => drop(claim, own),
  };
}

function textOf({ holder }: ContenderOptions, beat: number): string {
  return holderText({ ...holder, beat });
}

function afterPath({ root }: Claim, identity: string): string {
  return join(root, `lock.after.${identity}`);
}

async function take(claim: Claim, path: string): Promise<boolean> {
  const { holder, clock } = claim;
  for (let attempt = 0; attempt < MOST_ATTEMPTS; attempt++) {
    if (await place(claim, path)) return true;
    const seen = await readText(path);
    if (seen === undefined) continue;
    // A network file system may carry a link out and say that it failed.
    if (identityOf(seen) === holder.nonce) return true;
    const state = await stateOfHolder(path, seen, { clock, bootId: holder.bootId });
    if (state === "alive") return false;
    if (state === "dead" && (await takeOver(claim, path, seen))) return true;
  }
  return false;
}

/** @returns `false` if there is such a file already */
async function place(claim: Claim, path: string): Promise<boolean> {
  const { own, copies, linkFile = link } = claim;
  try {
    await linkFile(own, path);
    return true;
  } catch (error) {
    if (codeOf(error) === "EEXIST") return false;
    if (!NO_LINKS.has(codeOf(error))) throw error;
  }
  try {
    await create(path, claim.text);
    copies.add(path);
    return true;
  } catch (error) {
    if (codeOf(error) === "EEXIST") return false;
    throw error;
  }
}

async function takeOver(claim: Claim, path: string, seen: string): Promise<boolean> {
  const right = afterPath(claim, identityOf(seen));
  if (!(await take(claim, right))) return false;
  try {
    // Another one may have had the right before; and a holder that was stopped may have come to life.
    if ((await readText(path)) !== seen) return false;
    await replace(claim, path);
    await removeRemains(claim.root, seen, claim.clock);
    return true;
  } finally {
    await drop(claim, right);
  }
}

async function replace(claim: Claim, path: string): Promise<void> {
  const { own, copies } = claim;
  const fresh = `${own}.new`;
  await unlink(fresh).catch(ignoreAbsent);
  await place(claim, fresh);
  await rename(fresh, path);
  if (copies.delete(fresh)) copies.add(path);
}

async function drop({ copies }: Claim, path: string): Promise<void> {
  await unlink(path).catch(ignoreAbsent);
  copies.delete(path);
}

async function create(path: string, text: string): Promise<void> {
  const file = await open(path, "wx", 0o600);
  try {
    await file.write(text, 0);
    // A lock that a loss of power leaves empty would keep the next start waiting.
    await file.datasync();
  } catch (error) {
    await unlink(path);
    throw error;
  } finally {
    await file.close();
  }
}

/**
 * Writes into the very file that was found to be ours, whatever becomes of its name. It is not kept open: a volume with a
 * file that is open for writing cannot be made read-only.
 */
async function overwrite(path: string, nonce: string, text: string): Promise<void> {
  const file = await open(path, "r+");
  try {
    if (identityOf(await file.readFile("utf8")) === nonce) await file.write(text, 0);
  } finally {
    await file.close();
  }
}

/** What a dead holder has left, and contenders that were killed long ago. */
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

// What file systems say that know no second name of a file.
const NO_LINKS: ReadonlySet<string> = new Set(["EPERM", "ENOTSUP", "EOPNOTSUPP", "ENOSYS", "EMLINK"]);

function codeOf(error: unknown): string {
  return (error as NodeJS.ErrnoException).code ?? "";
}

function ignoreAbsent(error: unknown): void {
  if (codeOf(error) !== "ENOENT") throw error;
}
