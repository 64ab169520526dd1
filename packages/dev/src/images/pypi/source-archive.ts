import { KindlingError } from "@kindling/core-spec";
import { explainFetch, get } from "./get.ts";
import { isVersion, newestFirst } from "../spark/spark-version.ts";

/** A source archive of a release of pyspark, as an index lists it. */
export interface SourceArchive {
  readonly version: string;
  readonly url: string;
  /** Hexadecimal. */
  readonly sha256: string;
}

export const PYPI = "https://pypi.org/simple";

// The JSON form (PEP 691) if the index has it, else the page of links (PEP 503), which every mirror has.
const ACCEPT = "application/vnd.pypi.simple.v1+json, application/vnd.pypi.simple.v1+html;q=0.2, text/html;q=0.1";

const INDEX_TIMEOUT_MS = 60_000;

/**
 * Looks up the source archive of pyspark, which contains all of Spark.
 *
 * @param index the base of a simple index, such as {@link PYPI}
 * @param version `4.3.0`; `3.5` means the newest version with this prefix, undefined the newest of all
 * @throws KindlingError if the index does not answer, or has no such version
 */
export async function findSourceArchive(
  index: string,
  version: string | undefined,
  signal: AbortSignal,
): Promise<SourceArchive> {
  const page = `${index.replace(/\/+$/, "")}/pyspark/`;
  const archives = await readIndex(page, AbortSignal.any([signal, AbortSignal.timeout(INDEX_TIMEOUT_MS)]));
  const found = archives.find((archive) => version === undefined || isVersion(archive.version, version));
  if (found !== undefined) return found;
  const newest = archives.slice(0, 5).map((archive) => archive.version);
  throw new KindlingError("OBJECT_NOT_FOUND", `${hostOf(page)} has no pyspark ${version ?? ""}`.trimEnd(), {
    hint: newest.length === 0 ? "is PIP_INDEX_URL right?" : `the newest it has are ${newest.join(", ")}`,
  });
}

/** The releases of an index, the newest first; previews are left out. */
async function readIndex(page: string, signal: AbortSignal): Promise<readonly SourceArchive[]> {
  let files: readonly IndexedFile[];
  try {
    const response = await get(page, { accept: ACCEPT }, signal);
    if (!response.ok) throw new Error(`it answered ${response.status}`);
    const isJson = response.headers.get("content-type")?.includes("json") === true;
    files = isJson ? filesOfJson(await response.json()) : filesOfPage(await response.text());
    return files
      .flatMap(({ name, url, sha256 }): SourceArchive[] => {
        const version = /^pyspark-(\d+(?:\.\d+)+)\.tar\.gz$/.exec(name)?.[1];
        return version === undefined || sha256 === undefined
          ? []
          : [{ version, url: archiveUrl(url, response.url, page), sha256 }];
      })
      .sort((a, b) => newestFirst(a.version, b.version));
  } catch (error) {
    const { why, hint } = explainFetch(error);
    throw new KindlingError("FILE_UNREADABLE", `cannot look for pyspark at ${hostOf(page)}: ${why}`, {
      hint: hint ?? "set PIP_INDEX_URL where packages come from another index",
      cause: error,
    });
  }
}

/** Files on the index's own host need the same login, so the user and password are sent there too. */
function archiveUrl(link: string, base: string, page: string): string {
  const [url, index] = [new URL(link, base), new URL(page)];
  if (url.origin === index.origin && url.username === "") {
    url.username = index.username;
    url.password = index.password;
  }
  return url.href;
}

interface IndexedFile {
  readonly name: string;
  readonly url: string;
  readonly sha256: string | undefined;
}

function filesOfJson(document: unknown): readonly IndexedFile[] {
  const { files = [] } = document as {
    files?: readonly { filename: string; url: string; hashes?: { sha256?: string } }[];
  };
  return files.map(({ filename, url, hashes }) => ({ name: filename, url, sha256: hashes?.sha256 }));
}

function filesOfPage(html: string): readonly IndexedFile[] {
  return [...html.matchAll(/<a\s[^>]*href="([^"]+)"[^>]*>([^<]+)<\/a>/gi)].map(([, href = "", name = ""]) => {
    const [url = "", fragment = ""] = href.replaceAll("&amp;", "&").split("#");
    return { name: name.trim(), url, sha256: /^sha256=([0-9a-f]{64})$/i.exec(fragment)?.[1]?.toLowerCase() };
  });
}

/** Without the user and password of a URI. */
function hostOf(uri: string): string {
  return URL.canParse(uri) ? new URL(uri).host : "the index of packages";
}
