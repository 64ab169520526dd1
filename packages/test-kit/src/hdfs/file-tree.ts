export interface Inode {
  readonly id: number;
  /** The content of a file; a directory has none. */
  bytes: Buffer | undefined;
  modified: number;
}

/** The files and directories of a fake HDFS, by their paths. */
export interface FileTree {
  readonly inodes: Map<string, Inode>;
  /** The server's time. */
  readonly now: () => number;
  /** Updates the time of the directory that contains a path. */
  touch(path: string): void;
  makeDirectories(path: string): void;
  createFile(path: string, bytes: Buffer): void;
  children(path: string): [string, Inode][];
}

export function fileTree(now: () => number): FileTree {
  const inodes = new Map<string, Inode>([["/", { id: 1, bytes: undefined, modified: 0 }]]);
  let nextId = 2;
  const tree: FileTree = {
    inodes,
    now,
    touch(path) {
      const parent = inodes.get(parentOf(path));
      if (parent !== undefined) parent.modified = now();
    },
    makeDirectories(path) {
      if (path === "/" || inodes.has(path)) return;
      tree.makeDirectories(parentOf(path));
      inodes.set(path, { id: nextId++, bytes: undefined, modified: now() });
      tree.touch(path);
    },
    createFile(path, bytes) {
      tree.makeDirectories(parentOf(path));
      inodes.set(path, { id: nextId++, bytes, modified: now() });
      tree.touch(path);
    },
    children: (path) => [...inodes].filter(([each]) => each !== "/" && parentOf(each) === path),
  };
  return tree;
}

export function parentOf(path: string): string {
  return path.slice(0, path.lastIndexOf("/")) || "/";
}
