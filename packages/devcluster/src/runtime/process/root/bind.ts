/** A folder or file of this machine at a place of the container. */
export interface Bind {
  readonly source: string;
  /** An absolute path of the container, without `.`, `..` or a slash at the end. */
  readonly target: string;
  readonly readOnly: boolean;
}

/** A file made for the container. */
export interface OwnFile {
  readonly path: string;
  readonly content: string | Uint8Array;
  readonly mode: number;
}

/** What a container's root holds beyond what all have. */
export interface RootContent {
  /** Where two have the same target the later one counts. */
  readonly binds: readonly Bind[];
  readonly files: readonly OwnFile[];
  /** Links of the root: from an absolute path of the container to what the link says. */
  readonly links: readonly { readonly path: string; readonly to: string }[];
  /** Folders that are there whatever else is. */
  readonly folders: readonly string[];
  /** Made where they are missing, and instead of empty ones that are read-only. */
  readonly ownFolders: readonly OwnFolder[];
  /** A folder of this machine that holds them: there may be more to them than should be in memory. */
  readonly writable: string;
  /** Whether the container may write to volumes alone. */
  readonly readOnly: boolean;
}

/** A folder of the container's user. */
export interface OwnFolder {
  readonly path: string;
  readonly mode: number;
}

/** Whether a path lies below a folder. */
export function isBelow(path: string, folder: string): boolean {
  return path.startsWith(folder === "/" ? "/" : `${folder}/`) && path !== folder;
}
