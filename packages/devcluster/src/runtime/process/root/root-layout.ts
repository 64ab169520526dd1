import { lstatSync, readdirSync, readlinkSync, statSync } from "node:fs";
import { join, posix } from "node:path";
import { type Bind, type OwnFile, type OwnFolder, type RootContent, isBelow } from "./bind.ts";

/** What to create in the container's root folder, and what to mount there, in order. */
export interface RootLayout {
  /** Absolute paths in the container. */
  readonly folders: readonly string[];
  readonly files: readonly OwnFile[];
  readonly links: readonly { readonly path: string; readonly to: string }[];
  readonly binds: readonly Bind[];
  /** Absolute paths of this machine. */
  readonly own: readonly { readonly path: string; readonly mode: number }[];
  /** Mount points that are missing in folders of this machine, if the container may write to these. */
  readonly hostPoints: readonly { readonly path: string; readonly kind: Kind }[];
}

/** The kernel's limit for following links. */
const MAX_LINKS = 40;

export type Kind = "folder" | "file";

/**
 * Lays out a root. A mount point can only be created in a writable folder. If one is missing in a read-only folder, that
 * folder is replaced by a folder of the root that shows the same entries one by one.
 */
export function layOutRoot(content: RootContent): RootLayout {
  const layout = new Layout(content);
  const binds = new Map(content.binds.map((bind) => [layout.resolve(bind.target), bind]));
  const own = content.ownFolders.map((folder) => ({ ...folder, path: layout.resolve(folder.path) }));
  const places = [
    ...[...binds].map(([path, bind]) => ({ path, put: () => layout.bind({ ...bind, target: path }) })),
    ...own.map((folder) => ({ path: folder.path, put: () => layout.ownFolder(folder) })),
  ];
  // From the outside in; an own folder comes after the mounts at its place, so that it can see them.
  for (const { put } of places.sort((a, b) => depth(a.path) - depth(b.path))) put();
  for (const path of content.folders) layout.folder(path);
  for (const file of content.files) layout.file(file);
  return layout.result();
}

class Layout {
  readonly #content: RootContent;
  readonly #links: { path: string; to: string }[];
  readonly #folders = new Set<string>();
  readonly #own: { path: string; mode: number }[] = [];
  readonly #files = new Map<string, OwnFile>();
  readonly #hostPoints: { path: string; kind: Kind }[] = [];
  #binds: Bind[] = [];

  constructor(content: RootContent) {
    this.#content = content;
    this.#links = [...content.links];
  }

  bind(bind: Bind): void {
    this.#point(bind.target, kindOf(bind.source) ?? "folder");
    this.#binds.push(bind);
  }

  folder(path: string): void {
    if (this.#at(this.resolve(path)) === undefined) this.#make(this.resolve(path), "folder");
  }

  ownFolder({ path, mode }: OwnFolder): void {
    const parent = this.#at(path);
    if (parent !== undefined) {
      const source = join(parent.source, posix.relative(parent.target, path));
      if (this.#canMakeIn(parent)) {
        if (kindOf(source) === undefined) this.#hostPoints.push({ path: source, kind: "folder" });
        return;
      }
      if (kindOf(source) === "folder" && readdirSync(source).length > 0) return;
      this.#open(parent, path);
    }
    if (path === "/") return;
    const { writable, readOnly } = this.#content;
    const source = join(writable, String(this.#own.length));
    this.#own.push({ path: source, mode });
    this.#make(path, "folder");
    this.#binds.push({ source, target: path, readOnly });
  }

  file(given: OwnFile): void {
    const path = this.resolve(given.path);
    const parent = this.#at(path);
    // A volume at the file's own place, or around it, hides it.
    if (parent !== undefined && (parent.target === path || !parent.readOnly)) return;
    if (parent !== undefined) {
      this.#open(parent, path);
      this.#binds = this.#binds.filter(({ target }) => target !== path);
    }
    this.#files.set(path, { ...given, path });
  }

  result(): RootLayout {
    return {
      folders: [...this.#folders].sort((a, b) => depth(a) - depth(b)),
      own: this.#own,
      files: [...this.#files.values()],
      links: this.#links,
      binds: this.#binds.toSorted((a, b) => depth(a.target) - depth(b.target)),
      hostPoints: this.#hostPoints,
    };
  }

  /** Follows the links of the root, such as `/bin`. */
  resolve(path: string, steps: number = MAX_LINKS): string {
    const normal = posix.resolve("/", path);
    const link = this.#links.find((one) => normal === one.path || isBelow(normal, one.path));
    if (link === undefined || steps === 0) return normal;
    return this.resolve(posix.resolve(posix.dirname(link.path), link.to) + normal.slice(link.path.length), steps - 1);
  }

  /** Ensures that there is something to mount on. */
  #point(target: string, kind: Kind): void {
    const parent = this.#at(posix.dirname(target));
    if (parent === undefined) {
      this.#make(target, kind);
      return;
    }
    const source = join(parent.source, posix.relative(parent.target, target));
    if (kindOf(source) === kind) return;
    if (this.#canMakeIn(parent)) {
      this.#hostPoints.push({ path: source, kind });
      return;
    }
    this.#open(parent, target);
    this.#make(target, kind);
  }

  #canMakeIn({ readOnly, source }: Bind): boolean {
    return !readOnly || isBelow(source, this.#content.writable);
  }

  #make(target: string, kind: Kind): void {
    if (kind === "folder") this.#folders.add(target);
    else this.#files.set(target, { path: target, content: "", mode: 0o644 });
  }

  /** The bind that contains a path. */
  #at(path: string): Bind | undefined {
    let best: Bind | undefined;
    for (const bind of this.#binds) {
      if (bind.target !== path && !isBelow(path, bind.target)) continue;
      if (best === undefined || bind.target.length >= best.target.length) best = bind;
    }
    return best;
  }

  /** Replaces a bind, and its folders on the way to a path, by binds of their entries. */
  #open(bind: Bind, path: string): void {
    this.#binds = this.#binds.filter((one) => one !== bind);
    this.#folders.add(bind.target);
    for (const name of readdirSync(bind.source)) {
      const child = { ...bind, source: join(bind.source, name), target: posix.join(bind.target, name) };
      if (child.target === path) continue;
      if (lstatSync(child.source).isSymbolicLink()) {
        this.#links.push({ path: child.target, to: readlinkSync(child.source) });
      } else if (isBelow(path, child.target)) {
        this.#binds.push(child);
        this.#open(child, path);
      } else if (kindOf(child.source) !== undefined) {
        this.#make(child.target, kindOf(child.source) ?? "folder");
        this.#binds.push(child);
      }
    }
  }
}

function depth(path: string): number {
  return path === "/" ? 0 : path.split("/").length - 1;
}

function kindOf(path: string): Kind | undefined {
  const stats = statSync(path, { throwIfNoEntry: false });
  return stats === undefined ? undefined : stats.isDirectory() ? "folder" : "file";
}
