import { open, rename, unlink } from "node:fs/promises";
import { KindlingError } from "@kindling/core-spec";
import type { Clock } from "@kindling/outside";
import type { DamagedFiles } from "./damaged-files.ts";
import { NoPlainFileError, readPlainFile } from "./plain-file.ts";

// 1: documents without checksums; blobs sealed by their permission bits alone.
const FORMAT = 2;
const OLDER_FORMATS: ReadonlySet<unknown> = new Set([1]);

/** The contents of `format.json`. */
interface Format {
  readonly kind: "kindling-staging";
  readonly version: unknown;
  readonly oldSealsUntil?: number;
}

/**
 * Checks the version of a data folder, and upgrades a folder of an older version.
 *
 * @throws KindlingError `CONF_INVALID` for a newer version, and for a file of another program
 */
export async function checkFormat(
  path: string,
  damaged: DamagedFiles,
  clock: Clock,
): Promise<{ readonly oldSealsUntil: number }> {
  const found = await readFormat(path);
  if (typeof found === "object" && found.version === FORMAT) return { oldSealsUntil: found.oldSealsUntil ?? 0 };
  // The file has no meaning any more, but a server can start without it.
  if (found === "damaged") {
    await damaged.setAside(
      { shelf: "other", name: "format", path },
      { what: "document", name: "format.json", reason: "it is no file with JSON" },
    );
  } else if (found !== "new" && !OLDER_FORMATS.has(found.version)) {
    const version = String(found.version);
    throw new KindlingError("CONF_INVALID", `${path} is of version ${version}, this server knows ${FORMAT}`, {
      hint: "use the server version that wrote it, or a new folder",
    });
  }
  const oldSealsUntil = found === "new" ? 0 : clock.now();
  await writeFormat(path, { kind: "kindling-staging", version: FORMAT, oldSealsUntil });
  return { oldSealsUntil };
}

/** This comes before any other file of this version, so that an older server does not use the folder. */
async function writeFormat(path: string, format: Format): Promise<void> {
  const fresh = `${path}.tmp`;
  await unlink(fresh).catch(() => undefined);
  const file = await open(fresh, "wx", 0o600);
  try {
    await file.writeFile(`${JSON.stringify(format)}\n`);
    await file.sync();
  } finally {
    await file.close();
  }
  await rename(fresh, path);
}

async function readFormat(path: string): Promise<Format | "new" | "damaged"> {
  let text: string;
  try {
    text = (await readPlainFile(path)).toString("utf8");
  } catch (error) {
    if (error instanceof NoPlainFileError) return "damaged";
    if ((error as NodeJS.ErrnoException).code === "ENOENT") return "new";
    throw error;
  }
  try {
    const { kind, version, oldSealsUntil } = (JSON.parse(text) ?? {}) as Record<string, unknown>;
    return {
      kind: "kindling-staging",
      version: kind === "kindling-staging" ? version : undefined,
      ...(typeof oldSealsUntil === "number" && { oldSealsUntil }),
    };
  } catch {
    return "damaged";
  }
}
