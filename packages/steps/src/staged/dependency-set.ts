import { KindlingError, type LocalFiles } from "@kindling/core-spec";
import { baseName, isSubmitterLocal, splitFragment } from "../uris.ts";

/** How Spark uses a dependency. */
export type DependencyKind = "application" | "jar" | "file" | "pyFile" | "archive";

/** One dependency that will be in a pod before Spark starts. */
export interface Dependency {
  readonly kind: DependencyKind;
  /** A file of the submitter's disk, by its absolute path, or a URI that the localizer fetches. */
  readonly from: { readonly path: string } | { readonly uri: string };
  /** Its path below the directory of dependencies; the staging server uses the same name. */
  readonly name: string;
  /** Its name in the working directory of driver and executors. */
  readonly workName?: string;
  /** It is in `spark.files` too: the driver itself copies it into its working directory, so it is not mounted there. */
  readonly inSparkFiles?: true;
}

/** What a pod needs to know about a dependency, without its source. */
export type PlacedDependency = Pick<Dependency, "kind" | "name" | "workName" | "inSparkFiles">;

/** The folders of the kinds, below the directory of dependencies. */
export const FOLDERS: Record<DependencyKind, string> = {
  application: "app",
  jar: "jars",
  file: "files",
  pyFile: "py-files",
  archive: "archives",
};

/** Dependencies that will be together in pods, each under a name of its own. */
export class DependencySet {
  readonly #files: LocalFiles;
  readonly #all: Dependency[] = [];

  constructor(files: LocalFiles) {
    this.#files = files;
  }

  get all(): readonly Dependency[] {
    return this.#all;
  }

  /**
   * Adds the file that a URI names. The same file in the same place counts once, and so does a jar that is also a Python
   * file.
   *
   * @param origin the key that names it, for errors
   * @throws KindlingError `ARGUMENT_INVALID` if another file has its name, `FILE_UNREADABLE` if it does not exist
   */
  add(kind: DependencyKind, uri: string, origin: string): Dependency {
    const dependency = this.#dependency(kind, uri, origin);
    const isSame = (other: Dependency): boolean => placeOf(other) === placeOf(dependency);
    const jar = kind === "pyFile" ? this.#all.find((other) => other.kind === "jar" && isSame(other)) : undefined;
    if (jar !== undefined) return jar;

    const { name, workName } = dependency;
    const namesake = this.#all.find((other) =>
      workName === undefined ? other.name === name : other.workName === workName,
    );
    if (namesake === undefined) {
      const added = this.#all.some((other) => other.name === name) ? this.#renamed(dependency) : dependency;
      this.#all.push(added);
      return added;
    }
    if (namesake.kind === kind && isSame(namesake)) return namesake;
    throw new KindlingError(
      "ARGUMENT_INVALID",
      `${origin}: ${placeOf(namesake)} and ${placeOf(dependency)} would both be ${workName ?? baseName(name)} in the pods`,
      { hint: "give one of them another name with #name" },
    );
  }

  #dependency(kind: DependencyKind, uri: string, origin: string): Dependency {
    const { location, fragment } = splitFragment(uri);
    const from = isSubmitterLocal(uri) ? { path: this.#path(location, origin) } : { uri: location };
    const file = "path" in from ? baseName(from.path) : remoteName(from.uri, origin);
    const called = (fragment ?? file).normalize("NFC");
    if (called === "" || called === "." || called === ".." || called.includes("/")) {
      throw new KindlingError("ARGUMENT_INVALID", `${origin}: ${uri}: the name behind '#' must be a plain file name`);
    }
    const name = `${FOLDERS[kind]}/${safeName(called)}`;
    return kind === "file" || kind === "archive" ? { kind, from, name, workName: called } : { kind, from, name };
  }

  /**
   * Two names may become the same when they are made safe. If only the name in the working directory matters, that is no
   * conflict.
   */
  #renamed(dependency: Dependency): Dependency {
    const folder = FOLDERS[dependency.kind];
    return { ...dependency, name: `${folder}/${this.#all.length}-${baseName(dependency.name)}` };
  }

  #path(location: string, origin: string): string {
    const path = this.#files.absolute(location);
    if (this.#files.isFile(path)) return path;
    const what = this.#files.listFiles(path) === undefined ? "there is no such file" : "it is a directory";
    throw new KindlingError("FILE_UNREADABLE", `${origin}: ${path}: ${what}`);
  }
}

function placeOf({ from }: Dependency): string {
  return "path" in from ? from.path : from.uri;
}

function remoteName(uri: string, origin: string): string {
  const name = baseName(uri.replace(/[?].*$/, "").replace(/^[^:]*:\/\/[^/]*/, ""));
  if (name === "") throw new KindlingError("ARGUMENT_INVALID", `${origin}: ${uri} names no file`);
  return name;
}

/**
 * A name without characters that have a meaning in a URI, in a class path or PYTHONPATH, or for a staging server, and without
 * characters that a JVM cannot open in a container without a locale.
 */
function safeName(name: string): string {
  return name.replace(/[^A-Za-z0-9._+-]/g, "_");
}
