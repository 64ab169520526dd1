/** A folder or file of this machine, mounted at a place in the container. */
export interface Bind {
  readonly source: string;
  /** An absolute path in the container, without `.`, `..` or a slash at the end. */
  readonly target: string;
  readonly readOnly: boolean;
}

/** A file made for the container. */
export interface OwnFile {
  readonly path: string;
  readonly content: string | Uint8Array;
  readonly mode: number;
}

/** What a container's root contains in addition to the common parts. */
export interface RootContent {
  /** If two have the same target, the later one counts. */
  readonly binds: readonly Bind[];
  readonly files: readonly OwnFile[];
  /** Links of the root: from an absolute path in the container to the link's text. */
  readonly links: readonly { readonly path: string; readonly to: string }[];
  /** Folders that always exist. */
  readonly folders: readonly string[];
  /** Created if they are missing, and instead of empty ones that are read-only. */
  readonly ownFolders: readonly OwnFolder[];
  /** A folder of this machine for their content: it may be too large for memory. */
  readonly writable: string;
  /** Whether the container may write only to volumes. */
  readonly readOnly: boolean;
}

/** A folder of the container's user. */
export interface OwnFolder {
  readonly path: string;
  readonly mode: number;
}

/** Whether a path is below a folder. */
export function isBelow(path: string, folder: string): boolean {
  return path.startsWith(folder === "/" ? "/" : `${folder}/`) && path !== folder;
}
