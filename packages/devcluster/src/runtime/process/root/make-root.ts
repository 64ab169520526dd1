import { chmodSync, chownSync, lstatSync, mkdirSync, symlinkSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import type { RootLayout } from "./root-layout.ts";

/** The owner of the files that the container may write to; undefined: the user that runs the cluster. */
export interface Owner {
  readonly uid: number;
  readonly gid: number;
}

/** Creates a root folder according to its layout, without the mounts. */
export function makeRoot(root: string, layout: RootLayout, owner: Owner | undefined): void {
  mkdirSync(root, { mode: 0o755 });
  for (const path of layout.folders) mkdirSync(join(root, path), { recursive: true });
  for (const { path, mode } of layout.own) {
    mkdirSync(path, { recursive: true });
    if (owner !== undefined) chownSync(path, owner.uid, owner.gid);
    chmodSync(path, mode);
  }
  for (const { path, content, mode } of layout.files) {
    const file = join(root, path);
    mkdirSync(dirname(file), { recursive: true });
    writeFileSync(file, content);
    chmodSync(file, mode);
  }
  for (const { path, to } of layout.links) {
    const link = join(root, path);
    mkdirSync(dirname(link), { recursive: true });
    if (lstatSync(link, { throwIfNoEntry: false }) === undefined) symlinkSync(to, link);
  }
  for (const { path, kind } of layout.hostPoints) {
    mkdirSync(kind === "folder" ? path : dirname(path), { recursive: true });
    if (kind === "file") writeFileSync(path, "", { flag: "a" });
  }
}
