import type { ServerResponse } from "node:http";
import { answer, refuse } from "./fake-cluster.ts";
import { parentOf, type FileTree, type Inode } from "./file-tree.ts";

type Operation = (tree: FileTree, path: string, query: URLSearchParams, response: ServerResponse) => void;

/** What the name node does by itself. */
export const OPERATIONS: Readonly<Record<string, Operation>> = {
  GETFILESTATUS(tree, path, _query, response) {
    const inode = tree.inodes.get(path);
    if (inode === undefined) refuse(tree, response, 404, "FileNotFoundException");
    else answer(tree, response, 200, { FileStatus: statusOf("", inode) });
  },
  LISTSTATUS(tree, path, _query, response) {
    if (!tree.inodes.has(path)) return refuse(tree, response, 404, "FileNotFoundException");
    const FileStatus = tree
      .children(path)
      .map(([each, inode]) => statusOf(each.slice(each.lastIndexOf("/") + 1), inode));
    return answer(tree, response, 200, { FileStatuses: { FileStatus } });
  },
  MKDIRS(tree, path, _query, response) {
    tree.makeDirectories(path);
    answer(tree, response, 200, { boolean: true });
  },
  RENAME(tree, path, query, response) {
    const { inodes } = tree;
    const to = query.get("destination") ?? "";
    const inode = inodes.get(path);
    const possible = inode !== undefined && !inodes.has(to) && inodes.has(parentOf(to));
    if (possible) {
      inodes.delete(path);
      inodes.set(to, inode);
      tree.touch(path);
      tree.touch(to);
    }
    answer(tree, response, 200, { boolean: possible });
  },
  DELETE(tree, path, query, response) {
    const { inodes } = tree;
    if (query.get("recursive") !== "true" && tree.children(path).length > 0)
      return refuse(tree, response, 403, "PathIsNotEmptyDirectoryException");
    const gone = [...inodes.keys()].filter((each) => each === path || each.startsWith(`${path}/`));
    for (const each of gone) inodes.delete(each);
    tree.touch(path);
    return answer(tree, response, 200, { boolean: gone.length > 0 });
  },
  CONCAT(tree, path, query, response) {
    const { inodes } = tree;
    const sources = (query.get("sources") ?? "").split(",");
    const [target, ...rest] = [path, ...sources].map((each) => inodes.get(each));
    if (target?.bytes === undefined || rest.some((each) => (each?.bytes?.length ?? 0) === 0))
      return refuse(tree, response, 400, "HadoopIllegalArgumentException");
    target.bytes = Buffer.concat([target.bytes, ...rest.map((each) => each?.bytes ?? Buffer.alloc(0))]);
    for (const source of sources) inodes.delete(source);
    return answer(tree, response, 200, undefined);
  },
};

function statusOf(name: string, { id, bytes, modified }: Inode): object {
  return {
    pathSuffix: name,
    type: bytes === undefined ? "DIRECTORY" : "FILE",
    length: bytes?.length ?? 0,
    fileId: id,
    modificationTime: modified,
  };
}
